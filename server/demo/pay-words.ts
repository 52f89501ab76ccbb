import type { DemoAction } from './demo-provider.ts';

export const PAY_LANGUAGES = ['en', 'af'] as const;
export type PayLanguage = (typeof PAY_LANGUAGES)[number];

export type PayWords = Readonly<{
  kind: string;
  title: string;
  others: string;
  back: string;
  note: string;
  actions: Readonly<Record<DemoAction, Readonly<{ label: string; meaning: string; said: string }>>>;
}>;

export const payWords: Readonly<Record<PayLanguage, PayWords>> = {
  en: {
    kind: 'Demo bank',
    title: 'Pay for your tickets',
    others: 'What else a bank may do',
    back: 'Back to the shop',
    note: 'This stands for a payment provider. No money moves and no card is asked for.',
    actions: {
      success: {
        label: 'Pay',
        meaning: 'The card is good.',
        said: 'Paid. Your tickets are ready.',
      },
      decline: {
        label: 'Decline',
        meaning: 'The bank says no; the shop lets you try another card.',
        said: 'Declined. The shop lets you try another card.',
      },
      slow: {
        label: 'Pay slowly',
        meaning: 'The answer comes after five seconds.',
        said: 'The bank is thinking. The shop will hear from it in five seconds.',
      },
      duplicate: {
        label: 'Pay, told three times',
        meaning: 'The same message twice, and another one about it.',
        said: 'Paid, and the shop was told three times.',
      },
      late: {
        label: 'Pay too late',
        meaning: 'The answer comes when the time for paying is over.',
        said: 'The shop will hear of this payment after its deadline.',
      },
      wrong_amount: {
        label: 'Pay a wrong amount',
        meaning: 'One cent more than was asked for.',
        said: 'A wrong amount was paid. The shop has to give it back.',
      },
    },
  },
  af: {
    kind: 'Demobank',
    title: 'Betaal vir jou kaartjies',
    others: 'Wat ’n bank nog kan doen',
    back: 'Terug na die winkel',
    note: 'Dit staan in vir ’n betaaldiens. Geen geld beweeg nie en geen kaart word gevra nie.',
    actions: {
      success: {
        label: 'Betaal',
        meaning: 'Die kaart is goed.',
        said: 'Betaal. Jou kaartjies is gereed.',
      },
      decline: {
        label: 'Weier',
        meaning: 'Die bank sê nee; die winkel laat jou ’n ander kaart probeer.',
        said: 'Geweier. Die winkel laat jou ’n ander kaart probeer.',
      },
      slow: {
        label: 'Betaal stadig',
        meaning: 'Die antwoord kom ná vyf sekondes.',
        said: 'Die bank dink. Die winkel hoor oor vyf sekondes van hom.',
      },
      duplicate: {
        label: 'Betaal, drie keer gemeld',
        meaning: 'Dieselfde boodskap twee keer, en nog een daaroor.',
        said: 'Betaal, en die winkel is drie keer daarvan vertel.',
      },
      late: {
        label: 'Betaal te laat',
        meaning: 'Die antwoord kom wanneer die tyd om te betaal verby is.',
        said: 'Die winkel hoor eers ná die sperdatum van hierdie betaling.',
      },
      wrong_amount: {
        label: 'Betaal ’n verkeerde bedrag',
        meaning: 'Een sent meer as wat gevra is.',
        said: '’n Verkeerde bedrag is betaal. Die winkel moet dit teruggee.',
      },
    },
  },
};
