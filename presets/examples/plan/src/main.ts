/** `node src/main.ts host PORT [PRESET]`, and `join HOST PORT` on the other machine. */
import { createConnection, createServer, type Socket } from 'node:net';
import { type Move, take, whyNot, winner } from './rules.ts';
import { forget, keep, kept, replay, type Saved } from './save.ts';
import { draw, readMove } from './screen.ts';
import { encode, fingerprint, hear, linesOf, next, VERSION } from './wire.ts';

const show = (text: string): boolean => process.stdout.write(text);

async function play(socket: Socket, me: 0 | 1, offered?: Saved): Promise<void> {
  const typed = linesOf(process.stdin);
  const heard = linesOf(socket);
  if (offered !== undefined) socket.write(encode({ type: 'hello', version: VERSION, ...offered }));
  const { preset, moves: before } = offered ?? (await hear(heard, 'hello'));
  const moves: Move[] = [...before];
  let game = replay({ preset, moves });
  while (winner(game) === undefined) {
    show(draw(game, me));
    let move: Move | undefined;
    if (game.turn === me) {
      while (move === undefined || whyNot(game, move) !== undefined) {
        if (move !== undefined) show(`Not allowed: ${whyNot(game, move)}.\n`);
        move = readMove(await next(typed));
      }
      game = take(game, move);
      socket.write(encode({ type: 'move', ...move, fingerprint: fingerprint(game) }));
    } else {
      const { heap, count, fingerprint: theirs } = await hear(heard, 'move');
      move = { heap, count };
      game = take(game, move);
      if (fingerprint(game) !== theirs) throw new Error('the two machines disagree');
    }
    moves.push(move);
    if (me === 0) keep({ preset, moves });
  }
  if (me === 0) forget();
  show(winner(game) === me ? 'You win.\n' : 'They win.\n');
}

async function playOver(socket: Socket, me: 0 | 1, offered?: Saved): Promise<void> {
  try {
    await play(socket, me, offered);
  } catch (error) {
    show(`The game stops: ${error}.\n`);
    socket.write(encode({ type: 'bye', why: String(error) }));
    process.exitCode = 1;
  }
  socket.end();
  process.stdin.destroy();
}

const [role, ...words] = process.argv.slice(2);
if (role === 'host') {
  const server = createServer((socket) => {
    server.close();
    void playOver(socket, 0, kept() ?? { preset: words[1] ?? 'standard', moves: [] });
  }).listen(Number(words[0] ?? 7350), () => show('Waiting for the other machine.\n'));
} else if (role === 'join') {
  void playOver(createConnection(Number(words[1] ?? 7350), words[0] ?? 'localhost'), 1);
} else show('Usage: node src/main.ts host PORT [PRESET], or join HOST PORT\n');
