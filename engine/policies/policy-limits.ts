import { assert } from '#kit';
import { POLICY_FIELDS, type SeatingPolicy } from './policy-fields.ts';

/** All times of a hold in seconds, which is how a hold keeps them. */
export type HoldTimes = Readonly<{
  hold_seconds: number;
  extension_seconds: number;
  /** From the moment a hold is made; never less than the hold itself, so nothing shortens it. */
  most_seconds: number;
}>;

/** `demo_seconds` replaces the policy's minutes in demo mode and tests; production refuses it. */
export function holdTimes(policy: SeatingPolicy, demo_seconds?: number): HoldTimes {
  if (demo_seconds !== undefined) {
    return Object.freeze({
      hold_seconds: demo_seconds,
      extension_seconds: demo_seconds,
      most_seconds: 3 * demo_seconds,
    });
  }
  const hold_seconds = holdSeconds(policy.default_hold_ttl_minutes);
  return Object.freeze({
    hold_seconds,
    extension_seconds: policy.hold_extension_minutes * 60,
    most_seconds: Math.max(hold_seconds, policy.max_hold_total_minutes * 60),
  });
}

/** Times of paying in seconds. */
export type PaymentTimes = Readonly<{
  payment_seconds: number;
  /** All attempts of one checkout together, from the first. */
  most_seconds: number;
  grace_seconds: number;
}>;

/** Two attempts of full length fit into it; who needs longer has left. */
const PAYING_MOST_SECONDS = 30 * 60;

export function paymentTimes(policy: SeatingPolicy, demo_seconds?: number): PaymentTimes {
  if (demo_seconds !== undefined) {
    return Object.freeze({
      payment_seconds: Math.min(3 * demo_seconds, 15 * 60),
      most_seconds: Math.min(6 * demo_seconds, PAYING_MOST_SECONDS),
      grace_seconds: policy.payment_grace_minutes === 0 ? 0 : demo_seconds,
    });
  }
  return Object.freeze({
    payment_seconds: policy.payment_minutes * 60,
    most_seconds: PAYING_MOST_SECONDS,
    grace_seconds: policy.payment_grace_minutes * 60,
  });
}

/** A hold time that a request asked for in minutes, moved into the legal range, in seconds. */
export function holdSeconds(minutes: number): number {
  assert(!Number.isNaN(minutes), 'a hold time is a number');
  const { least, most } = POLICY_FIELDS.default_hold_ttl_minutes;
  return Math.round(Math.min(Math.max(minutes, least), most) * 60);
}

/** A token bucket of seats per user, or null when the policy has switched it off. */
export type HoldRate = Readonly<{ seats: number; seconds: number; capacity: number }>;

export function holdRate(policy: SeatingPolicy): HoldRate | null {
  const { hold_rate_seats, hold_rate_minutes, max_seats_per_booking } = policy;
  if (hold_rate_seats === null || hold_rate_minutes === null) return null;
  return Object.freeze({
    seats: hold_rate_seats,
    seconds: hold_rate_minutes * 60,
    // A bucket smaller than one booking could never be full enough to make it.
    capacity: Math.max(hold_rate_seats, max_seats_per_booking),
  });
}

/** Guests are nobody in particular, so their address counts even where the policy has no limit. */
export const GUEST_HOLDS_PER_IP = 40;

/** Live seats that one address may hold in an event; null is no limit. */
export function holdsPerIp(policy: SeatingPolicy, who: { guest: boolean }): number | null {
  return policy.max_holds_per_ip ?? (who.guest ? GUEST_HOLDS_PER_IP : null);
}

/**
 * A /48 is what a business gets, with many people behind it, and what a rented server gets, with
 * one: four homes. A carrier that puts more guests into one /48 makes them sign in.
 */
export const HOMES_IN_A_NETWORK = 4;

/** Live seats that one IPv6 /48 may hold in an event; a /56 is a home, and counts as an address. */
export function holdsPerNetwork(perIp: number | null): number | null {
  return perIp === null ? null : perIp * HOMES_IN_A_NETWORK;
}

/**
 * Live seats that one network may hold by the share of the event that the organiser has set; null
 * is no limit. A policy that was stored before there was such a share has none. At least one seat:
 * a share of a small hall is not nothing.
 */
export function holdsPerShare(policy: SeatingPolicy, capacity: () => number): number | null {
  const percent = policy.max_network_share_percent ?? null;
  return percent === null ? null : Math.max(1, Math.floor((capacity() * percent) / 100));
}
