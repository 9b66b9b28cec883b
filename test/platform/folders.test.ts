/** The folders of a person's files on each system. */
import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { folderOf, homeOf } from '../../src/platform/folders.ts';

const WINDOWS = {
  USERPROFILE: 'C:\\Users\\Ann',
  APPDATA: 'C:\\Users\\Ann\\AppData\\Roaming',
  LOCALAPPDATA: 'C:\\Users\\Ann\\AppData\\Local',
};
const hasFile = () => false;

it('folderOf returns the program’s folders for data, settings and state; on Windows, below AppData', () => {
  const getFolder = (kind: 'data' | 'config' | 'state') =>
    folderOf(kind, WINDOWS, 'windows', hasFile);
  expect(getFolder('data')).toBe('C:\\Users\\Ann\\AppData\\Local\\deliberate');
  expect(getFolder('config')).toBe('C:\\Users\\Ann\\AppData\\Roaming\\deliberate');
  expect(getFolder('state')).toBe('C:\\Users\\Ann\\AppData\\Local\\deliberate\\state');
});

it('folderOf reads environment variables on Windows whatever their case, and ignores a relative path in APPDATA', () => {
  const env = { UserProfile: 'D:\\Ann', appdata: 'roaming' };
  expect(folderOf('config', env, 'windows', hasFile)).toBe('D:\\Ann\\AppData\\Roaming\\deliberate');
  expect(folderOf('data', env, 'windows', hasFile)).toBe('D:\\Ann\\AppData\\Local\\deliberate');
});

it('folderOf returns the folder that earlier versions used if it exists and the new folder does not', () => {
  const old = 'C:\\Users\\Ann\\.config\\deliberate';
  const both = [old, 'C:\\Users\\Ann\\AppData\\Roaming\\deliberate'];
  expect(folderOf('config', WINDOWS, 'windows', (path) => path === old)).toBe(old);
  expect(folderOf('config', WINDOWS, 'windows', (path) => both.includes(path))).toBe(both[1]);
});

it('folderOf prefers an absolute path in XDG_DATA_HOME on every system', () => {
  const set = { ...WINDOWS, XDG_DATA_HOME: 'E:\\data' };
  expect(folderOf('data', set, 'windows', hasFile)).toBe('E:\\data\\deliberate');
  const relative = { ...WINDOWS, XDG_DATA_HOME: 'data' };
  expect(folderOf('data', relative, 'windows', hasFile)).toBe(
    'C:\\Users\\Ann\\AppData\\Local\\deliberate',
  );
  for (const system of ['linux', 'mac', 'other'] as const) {
    expect(folderOf('state', { HOME: '/h', ...WINDOWS }, system)).toBe(
      '/h/.local/state/deliberate',
    );
    expect(folderOf('data', { HOME: '/h', XDG_DATA_HOME: '/d' }, system)).toBe('/d/deliberate');
    expect(folderOf('data', { HOME: '/h', XDG_DATA_HOME: 'd' }, system)).toBe(
      '/h/.local/share/deliberate',
    );
  }
});

it('homeOf uses HOME on Windows only if it is a path of Windows', () => {
  expect(homeOf({ ...WINDOWS, HOME: '/c/Users/Ann' }, 'windows')).toBe('C:\\Users\\Ann');
  expect(homeOf({ ...WINDOWS, HOME: 'C:\\Users\\Bob' }, 'windows')).toBe('C:\\Users\\Bob');
  expect(homeOf({ HOME: '/c/Users/Ann' }, 'windows')).toBe(homedir());
  expect(homeOf({ HOME: '/home/ann' }, 'linux')).toBe('/home/ann');
});
