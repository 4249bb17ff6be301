/** Publishes price cards and exchange rates in the ledger, before any receipt refers to them. */
import { datedCards } from '../catalogue/announced.ts';
import type { Card, Catalogue, Channel } from '../catalogue/catalogue.ts';
import { type CardTerms, flatTerms, isFlat } from '../money/card-terms.ts';
import { FX_DIGITS, formatFxRate, picoRate, storedRates } from '../money/price.ts';
import { readTerms, termsJson } from '../money/terms-json.ts';
import { BUCKET_COLUMNS, USAGE_BUCKETS } from '../money/usage.ts';
import type { AuditEntry } from '../store/audit.ts';
import { text, textOrNull } from '../store/row.ts';
import type { SqlExecutor, SqlRow, SqlStatement } from '../store/sql.ts';
import type { PublishedCard, PublishedRate } from './ledger.ts';

/** The maximum number of ids that one statement asks for. */
const MAX_ASKED_IDS = 500;

/**
 * Returns the price cards to publish, including announced ones, because a price card must be stored
 * before its first receipt. `before` is a catalogue whose price cards are already published.
 */
export function publishedCards(
  catalogue: Catalogue,
  before: Pick<Catalogue, 'models' | 'lists'> | null = null,
): readonly PublishedCard[] {
  const cards: PublishedCard[] = [];
  for (const model of catalogue.models.values()) {
    const known = before?.models.get(model.id);
    // A model that did not change is the same object in both catalogues, so its price cards are
    // already published.
    if (known === model) continue;
    for (const channel of model.channels.values()) {
      const old = known?.channels.get(channel.name);
      const oldIds = old === undefined ? [] : idsOf(old);
      for (const { card } of datedCards<Card>(channel))
        if (!oldIds.includes(card.id)) cards.push(published(card, catalogue.loadedAtMs));
    }
  }
  for (const [list, own] of catalogue.lists) {
    for (const card of publishedCards(own, before?.lists.get(list) ?? null)) cards.push(card);
  }
  return cards;
}

const idsOf = (channel: Channel<Card>): readonly string[] =>
  datedCards(channel).map(({ card }) => card.id);

/**
 * Returns the exchange rates to publish. `before` is a catalogue whose rates are already published.
 */
export function publishedRates(
  catalogue: Catalogue,
  before: Pick<Catalogue, 'fx'> | null = null,
): readonly PublishedRate[] {
  return [...catalogue.fx]
    .filter(([pair, { id }]) => before?.fx.get(pair)?.id !== id)
    .map(([, rate]) => ({ ...rate, effectiveFromMs: catalogue.loadedAtMs }));
}

function published(card: Card, effectiveFromMs: number): PublishedCard {
  const { id, model, channel, currency, list } = card;
  return {
    id,
    model,
    channel,
    list,
    currency,
    rates: card.unit === 'token' ? card.rates : null,
    perImage: card.unit === 'image' ? Object.fromEntries(card.perImage) : null,
    terms: card.unit === 'token' && !isFlat(card.terms) ? termsJson(card.terms) : null,
    effectiveFromMs,
  };
}

/**
 * Returns the terms of a published price card with token prices. If the card has no stored terms,
 * its prices make up a single price row.
 */
export function publishedTerms(card: SqlRow): CardTerms {
  const json = textOrNull(card, 'terms');
  if (json !== null) return readTerms(json);
  const rate = (column: string) => {
    // The price is null if a node of an earlier version, which does not know this usage bucket,
    // published the price card.
    const pico = card[column];
    return typeof pico === 'bigint' ? picoRate(pico) : null;
  };
  return flatTerms(storedRates(({ column }) => rate(column)));
}

/**
 * Inserts the price cards and exchange rates whose ids are new, each in a transaction with its
 * audit entry.
 */
export async function publishCards(
  sql: SqlExecutor,
  cards: readonly PublishedCard[],
  rates: readonly PublishedRate[],
): Promise<void> {
  if (cards.length + rates.length === 0) return;
  // The known ids are read first, so that a start without new cards writes nothing.
  const knownRates = await knownIds(sql, 'fx_rate', rates);
  const knownCards = await knownIds(sql, 'card', cards);
  for (const rate of rates.filter(({ id }) => !knownRates.has(id))) {
    await sql.transaction([insertRate(rate)], rateAudit(rate));
  }
  for (const card of cards.filter(({ id }) => !knownCards.has(id))) {
    await sql.transaction(insertCard(card), cardAudit(card));
  }
}

/**
 * Returns the ids of the objects in `wanted` that are stored already. Does not read all stored ids,
 * because the table may be large.
 */
async function knownIds(
  sql: SqlExecutor,
  table: 'card' | 'fx_rate',
  wanted: readonly { readonly id: string }[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let from = 0; from < wanted.length; from += MAX_ASKED_IDS) {
    const params = wanted.slice(from, from + MAX_ASKED_IDS).map(({ id }) => id);
    const places = params.map((_, at) => `$${at + 1}`).join(', ');
    const rows = await sql.query({
      sql: `SELECT id FROM ${table} WHERE id IN (${places})`,
      params,
    });
    for (const row of rows) known.add(text(row, 'id'));
  }
  return known;
}

function rateAudit({ id, base, quote, scaled, effectiveFromMs }: PublishedRate): AuditEntry {
  const detail = { base, quote, rate: formatFxRate(scaled, FX_DIGITS) };
  return { atMs: effectiveFromMs, actor: 'system', action: 'rate.publish', subject: id, detail };
}

/**
 * Returns the audit entry of a published price card. It omits the prices, because the stored card
 * never changes.
 */
function cardAudit(card: PublishedCard): AuditEntry {
  const { id, model, channel, currency, list, effectiveFromMs } = card;
  const detail = { model, channel, currency, ...(list === null ? {} : { list }) };
  return { atMs: effectiveFromMs, actor: 'system', action: 'card.publish', subject: id, detail };
}

/**
 * Returns the statement that inserts an exchange rate. It returns a row only when the rate is new.
 */
function insertRate({ id, base, quote, scaled, effectiveFromMs }: PublishedRate): SqlStatement {
  return {
    sql: `INSERT INTO fx_rate (id, base, quote, scaled, effective_from_ms)
          VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING RETURNING id`,
    params: [id, base, quote, scaled, effectiveFromMs],
  };
}

const CARD_COLUMNS = [
  'id',
  'currency',
  'model',
  'channel',
  'effective_from_ms',
  'terms',
  'price_list',
];

/**
 * Returns the statements that insert a price card. The first one returns a row only when the card
 * is new.
 */
function insertCard(card: PublishedCard): SqlStatement[] {
  const { id, currency, model, channel, list, rates, perImage, effectiveFromMs, terms } = card;
  const columns = [...CARD_COLUMNS, ...BUCKET_COLUMNS];
  const perToken = USAGE_BUCKETS.map((bucket) => rates?.[bucket] ?? null);
  return [
    {
      sql: `INSERT INTO card (${columns.join(', ')})
            VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')})
            ON CONFLICT (id) DO NOTHING RETURNING id`,
      params: [id, currency, model, channel, effectiveFromMs, terms, list, ...perToken],
    },
    ...Object.entries(perImage ?? {}).map(([priceKey, price]) => ({
      sql: `INSERT INTO card_image (card_id, price_key, price) VALUES ($1, $2, $3)
            ON CONFLICT (card_id, price_key) DO NOTHING`,
      params: [id, priceKey, price],
    })),
  ];
}
