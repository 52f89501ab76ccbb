import type { LoadOrder } from './buyers.ts';
import type { Counts } from './sender.ts';
import type { CrowdStage, CrowdWish, Returned } from './stage.ts';
import type { View } from './viewers.ts';

export type Order =
  | Readonly<{ kind: 'open'; stage: CrowdStage }>
  | Readonly<{ kind: 'load'; load: LoadOrder }>
  /** Lets what is under way end; payments that were made are told. */
  | Readonly<{ kind: 'rest' }>
  /** Asks for everything again that nobody knows the end of, and for some that is known. */
  | Readonly<{ kind: 'settle' }>
  /** All at once; `node` chooses one, else the rotation does. */
  | Readonly<{ kind: 'send'; wishes: readonly CrowdWish[]; node: number | null }>
  | Readonly<{ kind: 'rotate'; node: number; isIn: boolean }>
  | Readonly<{ kind: 'mark'; name: string }>
  | Readonly<{ kind: 'view'; count: number }>
  /** What every open map shows. */
  | Readonly<{ kind: 'views' }>
  | Readonly<{ kind: 'unview' }>
  | Readonly<{ kind: 'report' }>
  /** Who there is, by organization. */
  | Readonly<{ kind: 'users' }>
  | Readonly<{ kind: 'close' }>;

export type Report = Readonly<{
  counts: Counts;
  answers: Readonly<Record<string, number>>;
  canaries: Readonly<{ problems: readonly string[]; looked: number; own: number }>;
}>;

export type Answers = Readonly<{
  report: Report;
  send: readonly Returned[];
  settle: number;
  users: readonly (readonly string[])[];
  views: readonly View[];
}>;

export type AnswerTo<Kind extends Order['kind']> = Kind extends keyof Answers
  ? Answers[Kind]
  : null;

export type Numbered<Message> = Readonly<{ number: number; message: Message }>;
export type Reply = Readonly<{ answer: unknown } | { error: string }>;
