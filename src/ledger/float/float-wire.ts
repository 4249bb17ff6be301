/**
 * Encodes the writes of the float (the holds in memory) as strings, and decodes them. This takes a
 * sixth of the time of a structured clone.
 */
import type { Currency } from '../../money/amount.ts';
import { type WholeJson, wholeToJson } from '../../money/whole.ts';
import type { Checkpoint, SettleCommand } from '../ledger.ts';
import { type ReceiptValue, receiptValues } from '../receipt-row.ts';
import type { WalletCommand } from '../wallet-command.ts';
import { orderFromText, orderToText, type PreparedCharge } from '../wire.ts';
import type { Charge, FloatHold } from './float-account.ts';

/**
 * The amounts of an account's running holds and unconfirmed charges, per wallet. Other commands
 * must not spend this money.
 */
export type Reserved = { readonly accountId: string } & Readonly<Record<Currency, bigint>>;

/** A charge that the float has planned. The store only writes it. */
export type PlannedCharge = {
  readonly kind: 'charge';
  readonly id: string;
  /** The price of the request, of which the wallets paid `taken`. */
  readonly price: bigint;
  readonly taken: bigint;
  readonly bought: bigint;
  readonly sold: bigint;
  readonly loss: bigint;
  readonly available: bigint;
  readonly metered: bigint;
  readonly held: bigint;
  /**
   * The id of the exchange rate at which the other wallet may pay; null if the other wallet must
   * not pay.
   */
  readonly exchangeId: string | null;
  readonly careful: number | null;
  readonly atMs: number;
  readonly receipt: readonly ReceiptValue[];
};

/** A settlement without a running hold, such as one that waited on disk while a process died. */
export type LateSettlement = PreparedCharge & {
  readonly kind: 'late';
  readonly id: string;
  readonly atMs: number;
  readonly carefulAnswers: number;
  /** The amount of the hold; null in a settlement that an earlier gateway version kept on disk. */
  readonly held: bigint | null;
  readonly exchangeId: string | null;
  readonly reserved: Reserved;
};

/** The cost so far of a running stream. It is charged if the stream's process dies. */
export type KeptCheckpoint = PreparedCharge & {
  readonly kind: 'checkpoint';
  readonly id: string;
  readonly epoch: string;
  readonly held: bigint;
  readonly exchangeId: string | null;
};

/** A write that charges the checkpoint of a stream whose process has died. */
export type LostCharge = {
  readonly kind: 'lost';
  readonly id: string;
  readonly atMs: number;
  readonly reserved: Reserved;
};

export type WalletOrder = {
  readonly kind: 'order';
  readonly command: WalletCommand;
  readonly reserved: Reserved;
};

/** A write that deletes the checkpoint of a stream whose hold was released. */
export type ForgottenCheckpoint = { readonly kind: 'forget'; readonly id: string };

export type FloatWrite =
  | PlannedCharge
  | ForgottenCheckpoint
  | LateSettlement
  | KeptCheckpoint
  | LostCharge
  | WalletOrder;

type WireReserved = [accountId: string, usd: string, cny: string];
/** An encoded charge. It stays on disk until it is booked, possibly by a newer gateway version. */
export type WireCharge = [
  ...['charge', id: string, price: WholeJson, taken: WholeJson, bought: WholeJson],
  ...[sold: WholeJson, loss: WholeJson, available: WholeJson, metered: WholeJson, held: WholeJson],
  ...[exchangeId: string | null, careful: number | null, atMs: number],
  receipt: readonly ReceiptValue[],
];
export type WireWrite =
  | WireCharge
  | [
      ...['late', id: string, charge: string, atMs: number, carefulAnswers: number],
      ...[held: string | null, exchangeId: string | null],
      ...[reserved: WireReserved, receipt: readonly ReceiptValue[]],
    ]
  | [
      ...['checkpoint', id: string, epoch: string, held: string, exchangeId: string | null],
      ...[charge: string, receipt: readonly ReceiptValue[]],
    ]
  | ['forget', id: string]
  | ['lost', id: string, atMs: number, reserved: WireReserved]
  | ['order', command: string, reserved: WireReserved];

export const chargeToWire = ({
  by,
  hold,
  plan,
  available,
  metered,
  careful,
}: Charge): WireCharge => [
  'charge',
  by.id,
  wholeToJson(by.charge),
  wholeToJson(plan.taken),
  wholeToJson(plan.bought),
  wholeToJson(plan.sold),
  wholeToJson(plan.loss),
  wholeToJson(available),
  wholeToJson(metered),
  wholeToJson(hold.amount),
  hold.by.exchange?.id ?? null,
  careful,
  by.atMs,
  receiptValues(by.receipt),
];

export const lateToWire = (command: SettleCommand, reserved: Reserved): WireWrite => [
  'late',
  command.id,
  command.charge.toString(),
  command.atMs,
  command.carefulAnswers,
  command.held?.toString() ?? null,
  command.exchangeId,
  reservedToWire(reserved),
  receiptValues(command.receipt),
];

export const checkpointToWire = (held: FloatHold, checkpoint: Checkpoint): WireWrite => [
  'checkpoint',
  held.by.id,
  held.by.epoch,
  held.amount.toString(),
  held.by.exchange?.id ?? null,
  checkpoint.charge.toString(),
  receiptValues(checkpoint.receipt),
];

export const lostToWire = (id: string, atMs: number, reserved: Reserved): WireWrite => [
  'lost',
  id,
  atMs,
  reservedToWire(reserved),
];

export const orderToWire = (command: WalletCommand, reserved: Reserved): WireWrite => [
  'order',
  orderToText(command),
  reservedToWire(reserved),
];

const reservedToWire = ({ accountId, USD, CNY }: Reserved): WireReserved => [
  accountId,
  USD.toString(),
  CNY.toString(),
];

const reservedFromWire = ([accountId, usd, cny]: WireReserved): Reserved => ({
  accountId,
  USD: BigInt(usd),
  CNY: BigInt(cny),
});

export const encodeWrites = (writes: readonly WireWrite[]): string => JSON.stringify(writes);
export const decodeWrites = (text: string): FloatWrite[] =>
  (JSON.parse(text) as WireWrite[]).map(writeFromWire);

export function writeFromWire(wire: WireWrite): FloatWrite {
  switch (wire[0]) {
    case 'charge': {
      const [kind, id, price, taken, bought, sold, loss, available, metered, held] = wire;
      const [, , , , , , , , , , exchangeId, careful, atMs, receipt] = wire;
      return {
        ...{ kind, id, exchangeId, careful, atMs, receipt },
        price: BigInt(price),
        taken: BigInt(taken),
        bought: BigInt(bought),
        sold: BigInt(sold),
        loss: BigInt(loss),
        available: BigInt(available),
        metered: BigInt(metered),
        held: BigInt(held),
      };
    }
    case 'late': {
      const [kind, id, charge, atMs, carefulAnswers, held, exchangeId, reserved, receipt] = wire;
      return {
        ...{ kind, id, atMs, carefulAnswers, exchangeId, receipt },
        charge: BigInt(charge),
        held: held === null ? null : BigInt(held),
        reserved: reservedFromWire(reserved),
      };
    }
    case 'checkpoint': {
      const [kind, id, epoch, held, exchangeId, charge, receipt] = wire;
      const amounts = { held: BigInt(held), charge: BigInt(charge) };
      return { kind, id, epoch, exchangeId, receipt, ...amounts };
    }
    case 'forget':
      return { kind: 'forget', id: wire[1] };
    case 'lost': {
      const [kind, id, atMs, reserved] = wire;
      return { kind, id, atMs, reserved: reservedFromWire(reserved) };
    }
    case 'order':
      return {
        kind: 'order',
        command: orderFromText(wire[1]),
        reserved: reservedFromWire(wire[2]),
      };
  }
}
