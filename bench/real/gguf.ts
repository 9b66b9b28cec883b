/** Writes GGUF files, the form in which llama.cpp and Ollama read models. Version 3, numbers as 32-bit floats. */

/** A value of the file's header. Numbers are whole and below 2^32, unless they are given as `real`. */
export type GgufValue =
  | string
  | number
  | boolean
  | { readonly real: number }
  | readonly string[]
  | readonly number[];

/** A matrix, whose values are given row by row. Without `rows` it is a vector of `columns` values. */
export interface GgufTensor {
  readonly name: string;
  readonly columns: number;
  readonly rows?: number;
  readonly values: Float32Array;
}

const [UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY] = [4, 5, 6, 7, 8, 9];
const ALIGNMENT = 32;

/** Returns the bytes of a GGUF file with these header values and matrices. */
export function writeGguf(
  values: Readonly<Record<string, GgufValue>>,
  tensors: readonly GgufTensor[],
): Buffer {
  const header: Buffer[] = [Buffer.from('GGUF'), uint32(3)];
  header.push(uint64(tensors.length), uint64(Object.keys(values).length));
  for (const [key, value] of Object.entries(values))
    header.push(encodeText(key), ...encodeValue(value));
  const bodies: Buffer[] = [];
  let offset = 0;
  for (const { name, columns, rows, values: numbers } of tensors) {
    const sizes = rows === undefined ? [columns] : [columns, rows];
    header.push(
      encodeText(name),
      uint32(sizes.length),
      ...sizes.map(uint64),
      uint32(0),
      uint64(offset),
    );
    const body = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    bodies.push(body, makePadding(body.length));
    offset += body.length + makePadding(body.length).length;
  }
  const head = Buffer.concat(header);
  return Buffer.concat([head, makePadding(head.length), ...bodies]);
}

function encodeValue(value: GgufValue): Buffer[] {
  if (typeof value === 'string') return [uint32(STRING), encodeText(value)];
  if (typeof value === 'boolean') return [uint32(BOOL), Buffer.from([value ? 1 : 0])];
  if (typeof value === 'number') return [uint32(UINT32), uint32(value)];
  if ('real' in value) {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value.real);
    return [uint32(FLOAT32), bytes];
  }
  const isText = typeof value[0] === 'string';
  return [
    ...[uint32(ARRAY), uint32(isText ? STRING : INT32), uint64(value.length)],
    ...value.map((item) => (typeof item === 'string' ? encodeText(item) : uint32(item))),
  ];
}

function encodeText(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function makePadding(length: number): Buffer {
  return Buffer.alloc((ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT);
}
