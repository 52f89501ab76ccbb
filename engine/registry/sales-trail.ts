import type { AuditAction, AuditEntry } from '#audit';
import type { Board, Draft, SaleChange } from '#board';
import { entry } from './trail.ts';

/** What the way from a hold to a ticket leaves in the event's trail. Codes are not in it. */
export function saleEntries(board: Board, draft: Draft, change: SaleChange): AuditEntry[] {
  const about = (
    action: AuditAction,
    id: string,
    changes: Record<string, unknown>,
    type = 'checkout',
  ) => [entry(action, type, id, changes)];
  const seat = (ordinal: number) => (ordinal < 0 ? null : board.plan.seatIdOf(ordinal));
  switch (change.kind) {
    case 'checkout_started': {
      const { checkout_id, user_id, items } = change;
      const action = board.checkoutOf(checkout_id) ? 'checkout_changed' : 'checkout_started';
      const hold_ids = items.map(([hold_id]) => hold_id);
      return about(action, checkout_id, { user_id, hold_ids });
    }
    case 'payment_begun': {
      const { checkout_id, attempt_id, provider, amount_cents } = change;
      return about('payment_begun', checkout_id, { attempt_id, provider, amount_cents });
    }
    case 'payment_message': {
      const { checkout_id, provider, message_id, type, attempt_id, outcome } = change;
      const said = { provider, message_id, type, attempt_id, outcome };
      return about('payment_message', checkout_id, said);
    }
    case 'checkout_closed': {
      const { checkout_id, status, reason } = change;
      return about(`checkout_${status}`, checkout_id, { reason });
    }
    case 'sold': {
      const { checkout_id, user_id, method, attempt_id, holds } = change;
      const tickets = change.tickets.map(({ ticket_id, ordinal, zone, price_cents }) => {
        const zone_id = draft.config.zones[zone]?.zone_id ?? null;
        return { ticket_id, seat_id: seat(ordinal), zone_id, price_cents };
      });
      const ended = { previous_status: 'active', new_status: 'converted' };
      const whose = change.for_holder ? { for_holder: true, sources: change.for_holder } : {};
      const sale = { user_id, method, attempt_id, hold_ids: holds, ...whose };
      const sold = { ...sale, ...ended, tickets };
      return about('checkout_completed', checkout_id, sold);
    }
    case 'refund_due': {
      const { refund_id, kind: _, ...owed } = change;
      return about('refund_due', refund_id, owed, 'refund');
    }
    case 'ticket_ended': {
      const { ticket_id, status, ordinal, blocked, reason } = change;
      const ended = { seat_id: seat(ordinal), blocked, reason };
      return about(`ticket_${status}`, ticket_id, ended, 'ticket');
    }
    case 'reseated': {
      const { ticket_id, from, to, reason } = change;
      const moved = { from: seat(from), to: seat(to), reason };
      return about('ticket_reseated', ticket_id, moved, 'ticket');
    }
    case 'payment_declined':
    case 'attempt':
    case 'refunded':
      // The message that says so has its own entry.
      return [];
  }
}
