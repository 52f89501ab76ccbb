import { EMPTY_ICON } from '#http';
import type { DemoAction } from './demo-provider.ts';

const BUTTONS: readonly (readonly [DemoAction, string, string])[] = [
  ['success', 'Pay', 'The card is good.'],
  ['decline', 'Decline', 'The bank says no; the shop lets you try another card.'],
  ['slow', 'Pay slowly', 'The answer comes after five seconds.'],
  ['duplicate', 'Pay, told three times', 'The same message twice, and another one about it.'],
  ['late', 'Pay too late', 'The answer comes when the time for paying is over.'],
  ['wrong_amount', 'Pay a wrong amount', 'One cent more than was asked for.'],
];

const SAID: Readonly<Record<DemoAction, string>> = {
  success: 'Paid. You can go back to the shop.',
  decline: 'Declined. Go back to the shop to try another card.',
  slow: 'The bank is thinking. The shop will hear from it in five seconds.',
  duplicate: 'Paid, and the shop was told three times.',
  late: 'The shop will hear of this payment after its deadline.',
  wrong_amount: 'A wrong amount was paid. The shop has to give it back.',
};

/** No cards here, ever: a button stands for whatever a provider would ask. */
export function payPage(
  payment: { amount_cents: number; currency: string },
  done: DemoAction | null,
): string {
  const amount = `${payment.currency} ${(payment.amount_cents / 100).toFixed(2)}`;
  const buttons = BUTTONS.map(
    ([action, label, meaning]) =>
      `<p><button name="action" value="${action}">${label}</button> <span>${meaning}</span></p>`,
  );
  const body = done
    ? `<p role="status" class="said">${SAID[done]}</p>`
    : `<form method="post">${buttons.join('')}</form>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${EMPTY_ICON}">
<title>Demo payment</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
  .amount { font-size: 2rem; font-weight: 700; margin: .5rem 0 1.5rem; }
  button { font: inherit; min-width: 13rem; padding: .6rem 1rem; border-radius: .5rem;
    border: 1px solid #8886; cursor: pointer; }
  button[value=success] { background: #17683b; color: #fff; border-color: #17683b; }
  span { display: block; opacity: .8; }
  .said { padding: 1rem; border: 1px solid #8886; border-radius: .5rem; }
</style>
</head>
<body>
<main>
<h1>Demo payment</h1>
<p>This stands for the page of a payment provider. No money moves and no card is asked for.</p>
<p class="amount">${amount}</p>
${body}
</main>
</body>
</html>
`;
}
