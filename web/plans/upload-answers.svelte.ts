/** What was uploaded or pasted; it stays while another way of drawing is looked at. */
export class UploadAnswers {
  format = $state<'layout' | 'pretix'>('layout');
  pasted = $state('');
  fileName = $state('');
  wrong = $state('');
  /** What was read last, so that another format can be tried on it. */
  content = $state.raw<unknown>(undefined);
  isRead = $state(false);
}
