import { makeVariedText } from '../servers/varied.ts';

/** A text that attacks a terminal or its reader. */
export interface Attack {
  /** What the text tries, for the names of tests. */
  readonly name: string;
  /** The attack, as a model, a file or a person may write it. */
  readonly text: string;
  /**
   * The part that must stay readable in one piece. Nothing of the attack may reach the terminal as a command.
   */
  readonly visible: string;
}

const ESC = '\x1b';
const BEL = '\x07';
const ST = `${ESC}\\`;
const before = 'Before. ';
const after = ' After.';
/** A text that is longer than any sequence and repeats nothing. */
const LONG_TEXT = makeVariedText(1_000).replaceAll(' ', '');

/**
 * Returns an attack with a complete sequence between two words: the sequence is removed, and the words
 * stay.
 */
function makeRemoved(name: string, sequence: string): Attack {
  return { name, text: before + sequence + after, visible: before + after };
}

/** Returns an attack with a sequence that never ends: its content stays readable. */
function makeUnended(name: string, introducer: string, content: string): Attack {
  return { name, text: before + introducer + content, visible: content };
}

/**
 * All attacks: escape sequences by their kind, then single control characters, then mostly invisible characters
 * of Unicode.
 */
export const attacks: readonly Attack[] = [
  // These attacks use operating system commands (OSC).
  makeRemoved('OSC 52 writes the clipboard, BEL', `${ESC}]52;c;cm0gLXJmIH4K${BEL}`),
  makeRemoved('OSC 52 writes the clipboard, ST', `${ESC}]52;c;cm0gLXJmIH4K${ST}`),
  makeRemoved('OSC 52 asks for the clipboard', `${ESC}]52;c;?${BEL}`),
  makeRemoved('OSC 52 in C1 form', '\x9d52;c;cm0gLXJmIH4K\x9c'),
  makeRemoved('OSC 52 in C1 form ended by BEL', `\x9d52;c;cm0gLXJmIH4K${BEL}`),
  makeRemoved('OSC 52 with a C1 terminator', `${ESC}]52;p;cm0gLXJmIH4K\x9c`),
  makeRemoved('OSC 0 sets the title', `${ESC}]0;root@host: ~${BEL}`),
  makeRemoved('OSC 2 sets the title', `${ESC}]2;root@host: ~${ST}`),
  makeRemoved('OSC 4 changes the palette', `${ESC}]4;1;rgb:00/00/00${BEL}`),
  makeRemoved('OSC 7 reports a folder', `${ESC}]7;file:///etc${ST}`),
  makeRemoved('OSC 9 notifies', `${ESC}]9;Your session has expired${BEL}`),
  makeRemoved('OSC 10 makes text black', `${ESC}]10;#000000${BEL}`),
  makeRemoved('OSC 11 asks for the background', `${ESC}]11;?${ST}`),
  makeRemoved('OSC 133 fakes a prompt', `${ESC}]133;A${BEL}`),
  makeRemoved('OSC 777 notifies', `${ESC}]777;notify;Bank;Log in again${BEL}`),
  makeRemoved('OSC 1337 sends a file', `${ESC}]1337;File=name=eC5zaA==;inline=1:AAAA${BEL}`),
  makeRemoved('OSC 1337 steals focus', `${ESC}]1337;StealFocus${ST}`),
  makeRemoved('OSC 8 opens a link and never closes it', `${ESC}]8;;https://evil.example/${ST}`),
  {
    name: 'OSC 8 shows one address and opens another',
    text: `See ${ESC}]8;;https://evil.example/${ST}https://bank.example${ESC}]8;;${ST} now.`,
    visible: 'See https://bank.example now.',
  },
  {
    name: 'OSC 8 in C1 form',
    text: 'See \x9d8;;https://evil.example/\x9chttps://bank.example\x9d8;;\x9c now.',
    visible: 'See https://bank.example now.',
  },
  makeRemoved('an empty OSC', `${ESC}]${BEL}`),
  // These sequences never end, are too long or broken, or are escapes of other kinds.
  makeUnended('OSC 52 without an end', `${ESC}]`, '52;c;this text must not disappear'),
  makeUnended('OSC 0 without an end', `${ESC}]`, '0;this text must not disappear'),
  makeUnended('OSC in C1 form without an end', '\x9d', '0;this text must not disappear'),
  makeUnended('DCS without an end', `${ESC}P`, 'this text must not disappear'),
  makeUnended('APC without an end', `${ESC}_`, 'this text must not disappear'),
  makeUnended('PM without an end', `${ESC}^`, 'this text must not disappear'),
  makeUnended('SOS without an end', `${ESC}X`, 'this text must not disappear'),
  makeUnended('SOS in C1 form without an end', '\x98', 'this text must not disappear'),
  makeUnended('CSI without an end', `${ESC}[`, '12;34'),
  makeUnended('CSI whose final byte is not ASCII', `${ESC}[`, 'étude'),
  {
    name: 'an OSC longer than any real one',
    text: `${ESC}]${LONG_TEXT}${BEL}${after}`,
    visible: LONG_TEXT + after,
  },
  {
    name: 'an OSC cut off by another escape',
    text: `${before}${ESC}]0;kept${ESC}[1m and the rest`,
    visible: '0;kept and the rest',
  },
  {
    name: 'an OSC that a newline leaves open',
    text: `${before}${ESC}]0;a title${'\n'}A whole paragraph.${BEL} More.`,
    visible: 'A whole paragraph. More.',
  },
  {
    name: 'the content of an open OSC hides another one',
    text: `${ESC}]0;shown ${ESC}]52;c;AAAA${BEL}${after}`,
    visible: `0;shown ${after}`,
  },
  {
    name: 'a CSI longer than any real one',
    text: `${ESC}[${'1;'.repeat(500)}m${after}`,
    visible: `m${after}`,
  },
  { name: 'a lone escape at the end', text: `${before}${ESC}`, visible: before },
  { name: 'an escape before a word', text: `${ESC}Hello`, visible: 'Hello' },
  { name: 'two escapes before a word', text: `${ESC}${ESC}Hello`, visible: 'Hello' },
  { name: 'RIS resets the terminal', text: `${before}${ESC}c${after}`, visible: after },
  { name: 'a charset makes text line drawing', text: `${ESC}(0lqqk${ESC}(B`, visible: 'lqqk' },
  { name: 'DECALN fills the screen', text: `${ESC}#8${after}`, visible: after },
  { name: 'a string terminator alone', text: `${before}${ST}${after}`, visible: before + after },
  // These attacks use the control strings DCS, APC, PM and SOS.
  makeRemoved('DCS asks for settings', `${ESC}P$qm${ST}`),
  makeRemoved('DCS in C1 form', '\x90$qm\x9c'),
  makeRemoved('DCS carries a picture', `${ESC}Pq#0;2;0;0;0#0~~@@vv${ST}`),
  makeRemoved('DCS passes through tmux', `${ESC}Ptmux;x52;c;AAAA${ST}`),
  makeRemoved('APC carries a kitty picture', `${ESC}_Ga=T,f=100;AAAA${ST}`),
  makeRemoved('APC in C1 form', '\x9fGa=T,f=100;AAAA\x9c'),
  makeRemoved('PM', `${ESC}^private${ST}`),
  makeRemoved('PM in C1 form', '\x9eprivate\x9c'),
  makeRemoved('SOS', `${ESC}Xstart${ST}`),
  // These attacks use control sequences (CSI).
  { name: 'SGR conceals', text: `${ESC}[8mhidden text${ESC}[0m`, visible: 'hidden text' },
  { name: 'SGR white on white', text: `${ESC}[97;107mhidden text${ESC}[m`, visible: 'hidden text' },
  { name: 'SGR in C1 form', text: '\x9b8mhidden text\x9b0m', visible: 'hidden text' },
  { name: 'SGR with colons', text: `${ESC}[38:2::0:0:0mtext`, visible: 'text' },
  makeRemoved('CSI 2J clears the screen', `${ESC}[2J`),
  makeRemoved('CSI 3J clears the scrollback', `${ESC}[3J`),
  makeRemoved('CSI H goes home', `${ESC}[H`),
  makeRemoved('CSI 6n makes the terminal type', `${ESC}[6n`),
  makeRemoved('CSI 6n in C1 form', '\x9b6n'),
  makeRemoved('CSI c asks who is there', `${ESC}[>c`),
  makeRemoved('CSI 21t types the title', `${ESC}[21t`),
  makeRemoved('CSI ?1049h switches screens', `${ESC}[?1049h`),
  makeRemoved('CSI ?1003h reports the mouse', `${ESC}[?1003h`),
  makeRemoved('CSI ?25l hides the cursor', `${ESC}[?25l`),
  makeRemoved('CSI A overwrites the row above', `${ESC}[1A${ESC}[2K`),
  makeRemoved('CSI r sets a scroll region', `${ESC}[1;2r`),
  makeRemoved('CSI !p resets', `${ESC}[!p`),
  makeRemoved('CSI u pushes a keyboard mode', `${ESC}[>31u`),
  // These attacks use single control characters.
  { name: 'BEL', text: `rin${BEL}g`, visible: 'ring' },
  { name: 'NUL', text: 'wo\0rd', visible: 'word' },
  { name: 'backspace overprints', text: 'safe\b\b\b\bevil', visible: 'safeevil' },
  { name: 'carriage return overprints', text: 'rm -rf ~\rls      ', visible: 'rm -rf ~' },
  { name: 'shift out and in', text: 'a\x0eb\x0fc', visible: 'abc' },
  { name: 'DEL', text: 'wo\x7frd', visible: 'word' },
  { name: 'XOFF stops the terminal', text: 'wo\x13rd', visible: 'word' },
  { name: 'every C1', text: 'wo\x80\x81\x84\x85\x8d\x8e\x8f\x99\x9a\x9crd', visible: 'word' },
  // Most of these attacks use invisible characters of Unicode.
  { name: 'bidi override', text: 'a\u202egpj.exe', visible: 'agpj.exe' },
  { name: 'bidi embeddings', text: 'a\u202a\u202b\u202c\u202db', visible: 'ab' },
  { name: 'bidi isolates', text: 'a\u2066\u2067\u2068\u2069b', visible: 'ab' },
  { name: 'bidi marks', text: 'a\u200e\u200f\u061cb', visible: 'ab' },
  { name: 'zero-width characters', text: 'pass\u200bw\u2060o\ufeffr\u180ed', visible: 'password' },
  { name: 'invisible operators', text: 'a\u2061\u2062\u2063\u2064b', visible: 'ab' },
  { name: 'joiners between Latin letters', text: 'pass\u200dwo\u200crd', visible: 'password' },
  { name: 'a soft hyphen', text: 'pass\u00adword', visible: 'password' },
  { name: 'Hangul fillers', text: 'a\u3164\u115f\u1160\uffa0b', visible: 'ab' },
  { name: 'tag characters', text: 'Hi\u{e0001}\u{e0068}\u{e0069}\u{e007f}!', visible: 'Hi!' },
  { name: 'interlinear annotations', text: 'a\ufff9b\ufffac\ufffbd', visible: 'abcd' },
  { name: 'a hidden channel of selectors', text: 'a\u{e0100}\u{e01ef}\u{e0123}b', visible: 'ab' },
  { name: 'a combining flood', text: `a${'\u0300'.repeat(1000)}b`, visible: 'b' },
  { name: 'a flood of enclosing marks', text: `a${'\u20dd'.repeat(1000)}b`, visible: 'b' },
  { name: 'line separators', text: 'one\u2028two\u2029three', visible: 'three' },
  { name: 'a lone surrogate', text: 'a\ud800b\udc00c', visible: 'a\ufffdb\ufffdc' },
];

/** The most characters of an attack that a corpus of the shape `line` contains. */
const LONG = 500;

/**
 * Returns one text with all attacks. Each attack stands between two words that must be shown: with `q` as
 * `x`, the words `x0a` and `x0b` enclose the first attack. A text of the shape `line` is a single line, which
 * can be an argument or a file name: it has no U+0000, and no attacks of more than 500 characters.
 */
export function joinAttacks(q: string, shape: 'text' | 'line' = 'text'): string {
  const between = shape === 'text' ? '\n\n' : ' \u00b7 ';
  return attacks
    .flatMap(({ text }, index) =>
      shape === 'line' && text.length > LONG
        ? []
        : [`${q}${index}a`, shape === 'line' ? forNames(text) : text, `${q}${index}b`],
    )
    .join(between);
}

function forNames(text: string): string {
  return text
    .replaceAll('\0', '')
    .replace(/[\n\r\u2028\u2029]/g, ' ')
    .toWellFormed();
}

/**
 * Returns the words around attacks in `joinAttacks(q, shape)` that are missing from the displayed text
 * `shown`.
 */
export function findMissingWords(
  q: string,
  shown: string,
  shape: 'text' | 'line' = 'text',
): string[] {
  return attacks
    .flatMap(({ text }, index) =>
      shape === 'line' && text.length > LONG ? [] : [`${q}${index}a`, `${q}${index}b`],
    )
    .filter((word) => !new RegExp(`(?<![a-z0-9])${word}(?![a-z0-9])`).test(shown));
}
