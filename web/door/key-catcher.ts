/** Where people write: keys are theirs there. A list that opens is chosen from by letters, too. */
const WRITTEN = 'textarea, select, [contenteditable=""], [contenteditable="true"]';
/** Fields that take no letters. */
const PRESSED = [
  'button',
  'checkbox',
  'color',
  'file',
  'image',
  'radio',
  'range',
  'reset',
  'submit',
];

function takesLetters(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !PRESSED.includes(target.type);
  return target.closest(WRITTEN) !== null;
}

/**
 * What a handheld scanner types while no field has the focus: a letter, or the Enter that ends a
 * code. Null: the key is somebody else's. Space presses buttons, and no code has one.
 */
export function caughtKey(event: KeyboardEvent): string | null {
  const { key, target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  if (takesLetters(target)) return null;
  const isOnButton = target instanceof Element && target.closest('button, a, summary') !== null;
  if (key === 'Enter') return isOnButton ? null : key;
  return key.length === 1 && key !== ' ' ? key : null;
}
