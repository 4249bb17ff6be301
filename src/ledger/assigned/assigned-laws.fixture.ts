/** Checks the invariants that must hold after every step of a simulation of nodes. */
import { CURRENCIES, type Currency } from '../../money/amount.ts';
import type { SimulatedNode } from './simulated-node.fixture.ts';
import type { SimulatedWorld } from './simulated-world.fixture.ts';

/** @throws Error when amounts in the store or at a node contradict each other. */
export function checkMoney(world: SimulatedWorld): void {
  if (world.fault !== null) throw world.fault;
  for (const accountId of world.accountIds) {
    for (const currency of CURRENCIES) {
      checkWallet(world, accountId, currency);
      for (const node of world.nodes) checkAssigned(world, node, accountId, currency);
    }
  }
  for (const node of world.nodes) {
    const [breach] = node.isUp ? node.ledger.breaches() : [];
    if (breach !== undefined) throw new Error(`${node.name} ${breach.subject}: ${breach.detail}`);
  }
}

/**
 * Checks the state after all messages have arrived.
 * @throws Error when money is still held or a charge was lost
 */
export function checkRest(world: SimulatedWorld): void {
  checkMoney(world);
  for (const node of world.nodes) {
    const left = node.float.holds.size + node.spool.size;
    if (left > 0) throw new Error(`${node.name}: ${left} holds and settlements left`);
  }
  for (const [accountId, account] of world.model.accounts) {
    for (const currency of CURRENCIES) {
      if (account.held[currency] === 0n) continue;
      throw new Error(`${accountId} ${currency}: ${account.held[currency]} is still held`);
    }
  }
  for (const [id, { charge, receipt }] of world.acknowledged) {
    const written = world.model.account(receipt.accountId).charged(id);
    const isExact = written !== null && written.charge + written.loss === charge;
    if (!isExact) throw new Error(`${id} was settled for ${charge}, charged ${written?.charge}`);
  }
}

/**
 * Checks that a wallet's balance is the sum of its wallet commands minus its charges, and covers
 * its holds.
 */
function checkWallet(world: SimulatedWorld, accountId: string, currency: Currency): void {
  const { balance, held, credit: limit, holds } = world.model.account(accountId);
  const subject = `${accountId} ${currency}`;
  let sum = 0n;
  let due = world.orders.get(subject) ?? 0n;
  for (const hold of holds.values()) {
    const isOwn = hold.currency === currency;
    if (hold.state === 'pending') sum += isOwn ? hold.own : hold.reserve;
    else due -= isOwn ? hold.charge - hold.refunded - hold.bought : hold.sold;
  }
  for (const each of world.model.of(accountId)) if (each.currency === currency) sum += each.amount;
  const has = `has ${balance[currency]}, held ${held[currency]}`;
  if (held[currency] !== sum) throw new Error(`${subject} ${has}: holds and assignments ${sum}`);
  if (balance[currency] !== due) throw new Error(`${subject} ${has}: orders less charges ${due}`);
  if (balance[currency] - sum + limit[currency] < 0n) throw new Error(`${subject} ${has}: too low`);
}

/** Checks that holds in the memory of a node do not exceed the node's assignment. */
function checkAssigned(
  { model }: SimulatedWorld,
  node: SimulatedNode,
  accountId: string,
  currency: Currency,
): void {
  const epoch = node.ledger.right.epoch ?? '';
  if (!node.isUp || !model.hasLease(epoch)) return;
  const account = model.account(accountId);
  let sum = 0n;
  for (const { by, own } of node.float.holds.values()) {
    if (by.accountId !== accountId || by.currency !== currency || by.epoch !== epoch) continue;
    if (!account.isKnown(by.id)) sum += own;
  }
  for (const { by, hold: held, plan } of node.float.accounts.get(accountId)?.charges.values() ??
    []) {
    if (held.by.currency !== currency || held.by.epoch !== epoch) continue;
    if (!account.isKnown(by.id)) sum += plan.taken;
  }
  const assigned = model.find(accountId, currency, epoch)?.amount ?? 0n;
  if (sum > assigned) {
    throw new Error(`${node.name} holds ${sum} ${currency} of ${accountId}, assigned ${assigned}`);
  }
}
