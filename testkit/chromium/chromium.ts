/**
 * A real Chromium, found on PATH, without a graphics card as on a rented machine. It knows how to
 * start one; tests get theirs from `browser`, measurements start their own.
 */
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

export type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/**
 * No sandbox (tests run as root), no GPU, and none of the connections that Chromium makes by
 * itself.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launchChromium(): Promise<Browser> {
  const executablePath = await findChromium(process.env.PATH ?? '');
  if (!executablePath) throw new Error('browser tests need chromium on PATH');
  return chromium.launch({ executablePath, args: FLAGS });
}

/**
 * The shell without windows first: opening ten pages took it 6 s where the whole browser, which
 * draws a frame around each of them, took 18.
 */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

export async function findChromium(path: string): Promise<string | null> {
  for (const name of NAMES) {
    for (const folder of path.split(delimiter).filter(Boolean)) {
      const file = join(folder, name);
      const found = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (found) return file;
    }
  }
  return null;
}
