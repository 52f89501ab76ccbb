const count = (number: number) => number.toLocaleString('en-ZA');
const seats = (number: number) => (number === 1 ? '1 seat' : `${count(number)} seats`);
const places = (number: number) => (number === 1 ? '1 place' : `${count(number)} places`);

/** Where a new version begins, and what becomes of the draft that is there. */
export const DRAWING_EN = {
  isDraft: (version: number) => `Version ${version} is a draft already`,
  draftFacts: (seated: number, all: number, when: string, who: string) =>
    `${seats(seated)}, ${places(all)} in all, saved ${when}${who && ` by ${who}`}.`,
  goOn: (version: number) => `Go on with version ${version}`,
  instead: (version: number) => `Replace it, starting from version ${version}`,
  insteadNew: 'Replace it by a new drawing',
  replaceTitle: (version: number) => `Replace version ${version}?`,
  replaceMeans: (version: number, seated: number, all: number) =>
    `When you save, the draft version ${version} (${seats(seated)}, ${places(all)} in all) is ` +
    'archived and your drawing becomes the next version. The old draft stays in the list of ' +
    'versions and can be used again from there. Until you save, nothing changes.',
  replaceDo: 'Replace it',
  startsFrom: (version: number, seated: number) =>
    `Starts from version ${version}: ${seats(seated)}.`,
  replaces: (version: number) => `Saving archives the draft version ${version}.`,
  asItIs: 'As it is',
  asItIsHow: (version: number, seated: number) =>
    `The plan of version ${version} as it is: ${seats(seated)}. It did not come from the form of ` +
    'the generator, so there are no numbers to change. Download its file, change it and upload ' +
    'it, or generate a new drawing.',
  downloadFile: 'Download its file',
  compared: (version: number, before: number, now: number) =>
    `Version ${version} has ${seats(before)}, this has ${count(now)}.`,
  sameSize: (version: number, now: number) => `As many seats as version ${version}: ${count(now)}.`,
  useAgain: (version: number) => `Make a draft from version ${version}`,
  conflictTitle: 'Not saved: there is a newer draft',
  conflict: (version: number, seatsOf: string, who: string) =>
    `${who || 'Another person'} saved version ${version} (${seatsOf}) after you opened this ` +
    'page. Your drawing is still here.',
  conflictLook: (version: number) => `Look at version ${version}`,
  conflictKeep: 'Save mine as the next version, and archive the other draft',
  conflictSave: 'Save mine as the next version',
  tooLarge: (all: number, most: number) =>
    `The plan has ${places(all)}, but the venue takes ${count(most)} people. Make the plan ` +
    'smaller, or change how many people the venue takes.',
  tooLargeShort: (all: number, most: number) =>
    `Too large: ${places(all)}, and the venue takes ${count(most)}.`,
  changeVenue: 'To the venues',
  toShapes: 'Turn it into shapes',
  toShapesHow: 'The same hall as shapes, whose rows, blocks and labels can each be changed.',
  duplicate: 'Duplicate',
  rowLengths: (first: string, firstLength: number, last: string, lastLength: number) =>
    first === last
      ? `Row ${first} has ${seats(firstLength)}.`
      : `Row ${first} has ${seats(firstLength)}, row ${last} has ${count(lastLength)}.`,
  asPrinted: (example: string) => `As printed on the seat, for example ${example}.`,
};
