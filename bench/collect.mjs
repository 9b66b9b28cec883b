// Collects garbage again and again, so that what a process holds can be told from what it has not let go of yet.
setInterval(() => globalThis.gc(), 200).unref();
