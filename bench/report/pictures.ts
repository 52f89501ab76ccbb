import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '@voelgoed/testkit/chromium';
import type { Plot } from './plots.ts';

/** Sharp on screens that show two dots for each. */
const SCALE = 2;

/** Each plot as a PNG of its name, drawn by the browser that tests use. */
export async function savePictures(folder: string, plots: readonly Plot[]): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ deviceScaleFactor: SCALE });
    const files: string[] = [];
    for (const { name, svg } of plots) {
      await page.setContent(`<body style="margin:0">${svg}</body>`);
      const file = join(folder, `${name}.png`);
      await writeFile(file, await page.locator('svg').screenshot());
      files.push(file);
    }
    return files;
  } finally {
    await browser.close();
  }
}
