import { describe, expect, it } from 'vitest';
import { useBrowser } from '#browser';
import { textsOfPdf } from './papers.ts';

const open = useBrowser();

describe('a PDF of Chromium', () => {
  it('is read page by page', async () => {
    const page = await open();
    await page.setContent(`<style>p { break-after: page; font: 12pt serif }</style>
      <p>First: AB12-çé — <b>bold</b> fi</p><p style="font-family: sans-serif">Second</p><p>Third`);
    const pdf = await page.pdf();
    const texts = textsOfPdf(pdf).map((text) => text.replaceAll(' ', ''));
    expect(texts).toEqual(['First:AB12-çé—boldfi', 'Second', 'Third']);
    await page.close();
  });
});
