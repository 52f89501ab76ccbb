import type { Page } from 'playwright-core';

/** In English and Afrikaans. */
const ROLES = {
  owner: /^As (?:owner|eienaar)$/,
  admin: /^As (?:admin|administrateur)$/,
  'box office': /^As (?:box office|kaartjieskantoor)$/,
  viewer: /^As (?:viewer|kyker)$/,
  scanner: /^As (?:scanner|skandeerder)$/,
};

/** Signs in at the desk of a demo, which is one click, and goes to a screen if it is another. */
export async function enterAs(page: Page, role: keyof typeof ROLES, path?: string): Promise<void> {
  await page.getByRole('button', { name: ROLES[role] }).click();
  await page.getByRole('navigation', { name: /^(?:Staff|Personeel)$/ }).waitFor();
  if (path) await page.goto(new URL(path, page.url()).href);
}

/** Says why in the dialog that asks for it, and does it. */
export async function giveReason(page: Page, reason: string, verb: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: verb, exact: true }).click();
}

/** How many points of a canvas are painted. */
export async function inkOf(page: Page, testId: string): Promise<number> {
  return page.getByTestId(testId).evaluate((canvas) => {
    type Painted = { width: number; height: number; getContext(kind: '2d'): Pen };
    type Pen = { getImageData(...box: number[]): { data: Uint8ClampedArray } };
    const { width, height } = canvas as unknown as Painted;
    if (width === 0 || height === 0) return 0;
    const pen = (canvas as unknown as Painted).getContext('2d');
    const { data } = pen.getImageData(0, 0, width, height);
    let ink = 0;
    for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) > 0) ink++;
    return ink;
  });
}
