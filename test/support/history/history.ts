/**
 * For tests: compares the answers that clients received in a run with the ledger's records. A
 * history is a list of requests with how each one ended for its client. A client sends one request
 * at a time with its own key. So the key, the kind and the time of a request identify it, even if
 * its id is unknown because the answer was lost with the connection.
 */

export type Kind = {
  readonly endpoint: 'chat' | 'messages' | 'images';
  readonly model: string;
  readonly streamed: boolean;
};

/**
 * The cost and usage that an answer reported. Amounts are nano-units; token counts include cached
 * tokens.
 */
export type Acknowledged = {
  readonly cost: bigint;
  readonly currency: string;
  readonly promptTokens: bigint;
  readonly completionTokens: bigint;
};

export type End =
  /** A complete answer with its cost. */
  | ({ readonly as: 'ok'; readonly requestId: string } & Acknowledged)
  /** The gateway answered with an error. */
  | { readonly as: 'refused'; readonly requestId: string; readonly status: number }
  /** The gateway refused the connection. */
  | { readonly as: 'unsent' }
  /** The client disconnected, or the answer was truncated. The id is null if no headers arrived. */
  | { readonly as: 'unknown'; readonly requestId: string | null };

/**
 * One request. Client and gateway run on one machine, so its times are comparable with the
 * ledger's.
 */
export type Invocation = Kind & {
  readonly keyId: string;
  readonly invokedAtMs: number;
  readonly endedAtMs: number;
  readonly end: End;
};

/**
 * A charge for a request. The kind `late` is a correction. It occurs when the reaper has settled
 * the request for a lost node, and the node's own settlement arrives afterward.
 */
export type Charge = {
  readonly transaction: bigint;
  readonly kind: 'settle' | 'late';
  readonly requestId: string;
  readonly currency: string;
  readonly taken: bigint;
  /** The part of the price that was not charged. The operator pays it. */
  readonly loss: bigint;
};

/** The final record of a request. If it has a late receipt, this is the late receipt. */
export type BookedRequest = Kind & {
  readonly requestId: string;
  readonly keyId: string;
  readonly startedAtMs: number;
  readonly promptTokens: bigint;
  readonly completionTokens: bigint;
};

export type LedgerRecords = {
  readonly readAtMs: number;
  readonly charges: readonly Charge[];
  readonly requests: readonly BookedRequest[];
  readonly holds: readonly {
    readonly requestId: string;
    readonly amount: bigint;
    readonly isPending: boolean;
    readonly createdAtMs: number;
  }[];
  /** The changes of wallets, in the order of their transactions. */
  readonly movements: readonly {
    readonly accountId: string;
    readonly currency: string;
    readonly amount: bigint;
    readonly balanceAfter: bigint;
  }[];
  readonly wallets: readonly {
    readonly accountId: string;
    readonly currency: string;
    readonly balance: bigint;
    readonly held: bigint;
    readonly floor: bigint;
  }[];
};

/**
 * A violated invariant: its description, the request or wallet that violates it, and the values
 * that were found.
 */
export type Fault = { readonly law: string; readonly subject: string; readonly detail: string };
type Law = (history: readonly Invocation[], records: LedgerRecords) => readonly Fault[];

/** The maximum time that a hold may be neither settled nor released. */
const MAX_PENDING_MS = 60_000;

export const LAWS = {
  charged: 'every acknowledged answer is charged once, at the reported cost',
  counted: 'a receipt has the usage that the client received',
  refused: 'a refused request is not charged',
  unknown: 'a request with an unknown end is charged at most once, and at most its hold',
  asked: 'every charge belongs to a request that a client sent',
  chain: "a wallet's movements add up to its balance without a gap",
  floor: 'no wallet is below its floor',
  resolved: 'no hold is pending for longer than a minute',
  ordered: 'the ledger has the requests of a client in their order',
} as const;

/** Returns all violations of the invariants, except for `ordered`, which `orderFaults` checks. */
export function faultsOf(history: readonly Invocation[], records: LedgerRecords): readonly Fault[] {
  const laws: readonly Law[] = [charged, counted, refused, unknown, asked, chain, floor, resolved];
  return laws.flatMap((law) => law(history, records));
}

/** Returns the records without the requests of these keys, whose clients recorded no history. */
export const withoutKeys = (records: LedgerRecords, keyIds: readonly string[]): LedgerRecords => ({
  ...records,
  requests: records.requests.filter(({ keyId }) => !keyIds.includes(keyId)),
});

/**
 * Checks that the ledger booked the requests of each client in the order in which the client sent
 * them. Only valid for a run in which no settlement had to wait for the store.
 */
export function orderFaults(
  history: readonly Invocation[],
  records: LedgerRecords,
): readonly Fault[] {
  const placeOf = new Map(
    records.charges
      .filter(({ kind }) => kind === 'settle')
      .map(({ requestId, transaction }) => [requestId, transaction]),
  );
  const last = new Map<string, { readonly requestId: string; readonly place: bigint }>();
  const faults: Fault[] = [];
  const inTime = history.toSorted((one, other) => one.invokedAtMs - other.invokedAtMs);
  for (const { keyId, end } of inTime) {
    const place = end.as === 'ok' ? placeOf.get(end.requestId) : undefined;
    if (end.as !== 'ok' || place === undefined) continue;
    const before = last.get(keyId);
    if (before !== undefined && before.place >= place) {
      faults.push({
        law: LAWS.ordered,
        subject: end.requestId,
        detail: `transaction ${place}, after ${before.requestId} in ${before.place}`,
      });
    }
    last.set(keyId, { requestId: end.requestId, place });
  }
  return faults;
}

const charged: Law = (history, records) => {
  const chargesOf = Map.groupBy(records.charges, ({ requestId }) => requestId);
  return history.flatMap(({ end }) => {
    if (end.as !== 'ok') return [];
    const charges = chargesOf.get(end.requestId) ?? [];
    const { taken, loss } = sumOf(charges);
    const isOnce =
      charges.filter(({ kind }) => kind === 'settle').length <= 1 &&
      charges.filter(({ kind }) => kind === 'late').length <= 1 &&
      charges.every(({ currency }) => currency === end.currency);
    // When a delayed settlement is booked, the wallet may have less money than the answer's cost.
    // The missing part is a loss.
    if (isOnce && (taken === end.cost || taken + loss === end.cost)) return [];
    const found = charges.map(chargeText).join(', ') || 'nothing';
    const detail = `reported ${end.cost} ${end.currency}, booked: ${found}`;
    return [{ law: LAWS.charged, subject: end.requestId, detail }];
  });
};

const counted: Law = (history, records) => {
  const booked = new Map(records.requests.map((request) => [request.requestId, request]));
  return history.flatMap(({ end }) => {
    if (end.as !== 'ok') return [];
    const request = booked.get(end.requestId);
    if (
      request?.promptTokens === end.promptTokens &&
      request.completionTokens === end.completionTokens
    )
      return [];
    const detail = `reported ${end.promptTokens} + ${end.completionTokens} tokens, booked ${request?.promptTokens} + ${request?.completionTokens}`;
    return [{ law: LAWS.counted, subject: end.requestId, detail }];
  });
};

const refused: Law = (history, records) => {
  const statusOf = new Map(
    history.flatMap(({ end }) =>
      end.as === 'refused' ? [[end.requestId, end.status] as const] : [],
    ),
  );
  return records.charges.flatMap((charge) => {
    const status = statusOf.get(charge.requestId);
    if (status === undefined || (charge.taken === 0n && charge.loss === 0n)) return [];
    const detail = `answered ${status}, booked: ${chargeText(charge)}`;
    return [{ law: LAWS.refused, subject: charge.requestId, detail }];
  });
};

/**
 * Checks the charges of requests whose outcome no client received. The client may not even know the
 * request's id, so each charged id is checked by itself. The check `asked` ensures that no request
 * is charged under two ids.
 */
const unknown: Law = (history, records) => {
  const finished = new Set(
    history.flatMap(({ end }) => (end.as === 'ok' || end.as === 'refused' ? [end.requestId] : [])),
  );
  const heldOf = new Map(records.holds.map(({ requestId, amount }) => [requestId, amount]));
  const chargesOf = Map.groupBy(records.charges, ({ requestId }) => requestId);
  return [...chargesOf].flatMap(([requestId, charges]) => {
    if (finished.has(requestId)) return [];
    const held = heldOf.get(requestId) ?? 0n;
    // The operator pays a loss, which is the part of the price that the wallet could not pay. A
    // loss is not part of the charge.
    const { taken } = sumOf(charges);
    const settlements = charges.filter(({ kind }) => kind === 'settle').length;
    if (settlements <= 1 && taken <= held) return [];
    const detail = `held ${held}, booked: ${charges.map(chargeText).join(', ')}`;
    return [{ law: LAWS.unknown, subject: requestId, detail }];
  });
};

const asked: Law = (history, records) => {
  const named = new Set(
    history.flatMap(({ end }) =>
      end.as !== 'unsent' && end.requestId !== null ? [end.requestId] : [],
    ),
  );
  const paid = new Set(
    records.charges.flatMap(({ taken, loss, requestId }) => (taken + loss > 0n ? [requestId] : [])),
  );
  const unnamed = Map.groupBy(
    history.filter(({ end }) => end.as === 'unknown' && end.requestId === null),
    sameKind,
  );
  for (const some of unnamed.values()) some.sort((one, two) => one.invokedAtMs - two.invokedAtMs);
  return records.requests
    .filter(({ requestId }) => paid.has(requestId) && !named.has(requestId))
    .toSorted((one, other) => one.startedAtMs - other.startedAtMs)
    .flatMap((request) => {
      // Uses up any candidate that began early enough. The choice does not matter, because each of
      // them is also early enough for all later requests.
      const candidates = unnamed.get(sameKind(request)) ?? [];
      if ((candidates[0]?.invokedAtMs ?? Number.POSITIVE_INFINITY) <= request.startedAtMs) {
        candidates.shift();
        return [];
      }
      const detail = `${sameKind(request)} begun at ${request.startedAtMs}, which no client was waiting for`;
      return [{ law: LAWS.asked, subject: request.requestId, detail }];
    });
};

const chain: Law = (_history, { movements, wallets }) => {
  const faults: Fault[] = [];
  const balances = new Map<string, bigint>();
  for (const { accountId, currency, amount, balanceAfter } of movements) {
    const wallet = `${accountId} ${currency}`;
    const expected = (balances.get(wallet) ?? 0n) + amount;
    if (balanceAfter !== expected) {
      const detail = `${amount} leads to ${expected}, written ${balanceAfter}`;
      faults.push({ law: LAWS.chain, subject: wallet, detail });
    }
    balances.set(wallet, balanceAfter);
  }
  for (const { accountId, currency, balance } of wallets) {
    const last = balances.get(`${accountId} ${currency}`) ?? 0n;
    if (last === balance) continue;
    const detail = `balance ${balance}, last movement ${last}`;
    faults.push({ law: LAWS.chain, subject: `${accountId} ${currency}`, detail });
  }
  return faults;
};

const floor: Law = (_history, { wallets }) =>
  wallets
    .filter(({ balance, held, floor }) => balance - held < floor)
    .map(({ accountId, currency, balance, held, floor }) => ({
      law: LAWS.floor,
      subject: `${accountId} ${currency}`,
      detail: `balance ${balance}, held ${held}, floor ${floor}`,
    }));

const resolved: Law = (_history, { holds, readAtMs }) =>
  holds
    .filter(({ isPending, createdAtMs }) => isPending && readAtMs - createdAtMs > MAX_PENDING_MS)
    .map(({ requestId, createdAtMs }) => ({
      law: LAWS.resolved,
      subject: requestId,
      detail: `pending for ${readAtMs - createdAtMs} ms`,
    }));

const sameKind = ({
  keyId,
  endpoint,
  model,
  streamed,
}: Kind & { readonly keyId: string }): string =>
  `${keyId} ${endpoint} ${model}${streamed ? ' stream' : ''}`;

const chargeText = ({ kind, taken, loss, currency }: Charge): string =>
  `${kind} ${taken}${loss === 0n ? '' : ` (and ${loss} lost)`} ${currency}`;

const sumOf = (charges: readonly Charge[]): { readonly taken: bigint; readonly loss: bigint } => ({
  taken: charges.reduce((sum, { taken }) => sum + taken, 0n),
  loss: charges.reduce((sum, { loss }) => sum + loss, 0n),
});
