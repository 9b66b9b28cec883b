/** What a run under Wine does not test; docs/windows.md has the same list. */

/** What the tests of the program under Wine cannot test of Windows, one phrase each. */
export const LEFT_OUT = [
  'PowerShell: its quoting, its completions, commands of `deliberate test` that it runs',
  'Windows Terminal and ConPTY, other fonts and code pages of a real console, a window that is closed',
  'Git for Windows itself, its shell and its settings (core.autocrlf, executable bits)',
  'junctions, and links of paths longer than 260 characters: Wine 8 cannot make the ones or resolve the others',
  'a console window whose size changes: Wine 8 tells programs nothing of it',
  'access lists, other accounts on one machine, roaming profiles',
  'virus scanners and indexers that hold files open',
  'Node 24 and later, ARM, network drives, case-sensitive folders',
] as const;
