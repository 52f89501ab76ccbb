import { createHash } from 'node:crypto';
import { EMPTY_ICON } from '#http';
import type { DemoAction } from './demo-provider.ts';
import { PAY_STYLE } from './pay-style.ts';
import { type PayLanguage, type PayWords, payWords } from './pay-words.ts';

const BUTTONS = ['success', 'decline', 'slow', 'duplicate', 'late', 'wrong_amount'] as const;
const STYLE_HASH = createHash('sha256').update(PAY_STYLE).digest('base64');

/** Nothing but this page's own style, and forms that come back here. */
export const PAY_POLICY =
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; ` +
  "form-action 'self'; frame-ancestors 'none'";

/** No cards here, ever: a button stands for whatever a provider would ask. */
export function payPage(
  payment: { amount_cents: number; currency: string; checkout_id: string },
  language: PayLanguage,
  done: DemoAction | null,
): string {
  const words = payWords[language];
  const amount = amountOf(payment, language);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${EMPTY_ICON}">
<title>${words.title}</title>
<style>${PAY_STYLE}</style>
</head>
<body>
<main>
<p class="kind">${words.kind}</p>
<h1>${words.title}</h1>
<p class="amount">${amount}</p>
${done ? said(words, done, payment.checkout_id) : form(words, amount, payment.checkout_id)}
</main>
</body>
</html>
`;
}

/** The page of the shop that waits for the payment: ours, and signed, so it leads nowhere else. */
export function backToShop(checkoutId: string): string {
  return `/checkouts/${checkoutId}`;
}

function form(words: PayWords, amount: string, checkoutId: string): string {
  const [pay, ...others] = BUTTONS.map((action) => {
    const { label, meaning } = words.actions[action];
    const text = action === 'success' ? `${label} ${amount}` : label;
    return `<li><button name="action" value="${action}">${text}</button><p>${meaning}</p></li>`;
  });
  return `<form method="post">
<ul class="first">${pay}</ul>
<h2>${words.others}</h2>
<ul>${others.join('')}</ul>
</form>
<p class="back"><a href="${backToShop(checkoutId)}">${words.back}</a></p>
<p class="note">${words.note}</p>`;
}

function said(words: PayWords, done: DemoAction, checkoutId: string): string {
  return `<p role="status" class="said">${words.actions[done].said}</p>
<p><a class="button" href="${backToShop(checkoutId)}">${words.back}</a></p>`;
}

function amountOf(
  { amount_cents, currency }: { amount_cents: number; currency: string },
  language: PayLanguage,
): string {
  const locale = language === 'af' ? 'af-ZA' : 'en-ZA';
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount_cents / 100);
}
