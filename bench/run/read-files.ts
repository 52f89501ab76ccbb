import { writeFile } from 'node:fs/promises';
import { compareRecords, linesOf } from '#compare';
import { readRecord } from '#record';
import { pageOf, plotsOf, savePictures } from '#report';
import { printFigures } from './print.ts';

type Wishes = { html?: string | undefined; png?: string | undefined };

/** A page, pictures, or, when neither is asked for, the table once more. */
export async function reportFile(files: readonly string[], { html, png }: Wishes): Promise<void> {
  const [file] = files;
  if (file === undefined) throw new Error('report FILE.json [--html FILE] [--png FOLDER]');
  const record = await readRecord(file);
  if (html === undefined && png === undefined) {
    const { commit, date, machine } = record.header;
    console.log(`${commit}, ${date}, ${machine.cpu}, ${machine.cores} cores, ${machine.os}`);
    printFigures(record.figures);
  }
  if (html !== undefined) {
    await writeFile(html, pageOf(record));
    console.log(html);
  }
  if (png !== undefined) {
    for (const made of await savePictures(png, plotsOf(record.figures))) console.log(made);
  }
}

export async function compareFiles(files: readonly string[], all: boolean): Promise<void> {
  const [one, other] = files;
  if (one === undefined || other === undefined) {
    throw new Error('compare ONE.json OTHER.json [--all]');
  }
  const comparison = compareRecords(await readRecord(one), await readRecord(other));
  for (const line of linesOf(comparison, all)) console.log(line);
}
