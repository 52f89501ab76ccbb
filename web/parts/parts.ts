/**
 * Parts: small pieces that pages are made of: icons, steppers, dialogs, notices, skeletons. They
 * draw what they are given and say what was pressed; of the shop they know nothing but words.
 */
export { default as Banner } from './banner.svelte';
export { default as Dialog } from './dialog.svelte';
export { default as Icon } from './icon.svelte';
export { default as Logo } from './logo.svelte';
export { default as Poster } from './poster.svelte';
export { default as Problem } from './problem.svelte';
export { default as QrCode } from './qr-code.svelte';
export { default as Stepper } from './stepper.svelte';
export { default as TimeChip } from './time-chip.svelte';
