/** Shows the effects of a price change before it is saved. The person confirms doubtful prices. */
import { Alert, Button, Checkbox, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { isStale } from '#api/api-error.ts';
import { usePerson } from '#api/session.ts';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { useUnsavedForms } from '#components/forms/unsaved.ts';
import { NOTHING } from '#components/tables/column.ts';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { formatExact, parseAmount } from '#money/amount.ts';
import { useConfigChanged } from '#screens/admin/settings/config-queries.ts';
import { type Finding, useFindingText } from '#screens/admin/settings/finding-text.ts';
import type { ConfigChange } from './price-api.ts';
import {
  changedPrice,
  channelIn,
  isPrice,
  type Models,
  type Multiplied,
  shownValue,
} from './price-edit.ts';
import { useItemName } from './price-names.ts';
import { EarnedPreview } from './price-preview.tsx';
import type { Changed, Proposal } from './price-proposal.ts';
import { pricesTexts } from './prices-texts.ts';

export type PriceReviewProps = {
  /**
   * Reads the current settings and sends the change as a dry run. Called again if somebody else
   * changed the settings.
   */
  readonly propose: () => Promise<Proposal>;
  /** Goes back to the previous step; null if the review is the first step. */
  readonly onBack: (() => void) | null;
  readonly onClose: () => void;
};
type Warning = ConfigChange['warnings'][number];
type Code = Warning['code'];

async function reviewOf(propose: () => Promise<Proposal>) {
  const proposal = await propose();
  const plan = await proposal.send(null);
  return { ...proposal, plan, prices: proposal.prices ?? pricesIn(plan, proposal.models) };
}

const isDoubtful = ({ needs_confirmation: needs }: Warning): boolean => needs;

export function PriceReview({ propose, onBack, onClose }: PriceReviewProps) {
  const t = useTexts(pricesTexts);
  const forms = useUnsavedForms();
  const configChanged = useConfigChanged();
  const [note, setNote] = useState('');
  const [confirmed, setConfirmed] = useState<readonly Code[]>([]);
  const review = useQuery({
    queryKey: ['price-review', useId()],
    queryFn: () => reviewOf(propose),
    ...{ staleTime: Infinity, gcTime: 0, retry: false, refetchOnWindowFocus: false },
  });
  const saving = useMutation({
    mutationFn: async () =>
      review.data === undefined ? null : await review.data.send({ note: note.trim(), confirmed }),
    onSuccess: (saved) => {
      notifications.show({
        message: t('saved', { revision: saved?.revision ?? 0 }),
        color: 'green',
      });
      forms.forget();
      onClose();
      return configChanged();
    },
  });
  // The button that opened the review is gone, and the focus with it.
  const shown = useRef<HTMLDivElement>(null);
  const isShown = review.data !== undefined && !review.isFetching;
  useEffect(() => {
    if (isShown) shown.current?.focus();
  }, [isShown]);
  const again = (): void => {
    saving.reset();
    setConfirmed([]);
    void review.refetch();
  };
  if (review.error !== null) return <ApiProblem error={review.error} onRetry={again} />;
  if (review.data === undefined || review.isFetching) return <Loader size="sm" />;
  const { facts, from, models, plan, preview, prices } = review.data;
  const codes = [...new Set(plan.warnings.filter(isDoubtful).map(({ code }) => code))];
  const isPossible = plan.errors.length === 0 && plan.changes.length > 0;
  const isOpen = codes.some((code) => !confirmed.includes(code));
  return (
    <Stack
      ref={shown}
      tabIndex={-1}
      role="group"
      aria-label={t('review')}
      style={{ outline: 'none' }}
    >
      {from === null ? null : <Text size="sm">{from}</Text>}
      <Changes prices={prices} models={models} />
      {preview === null || !isPossible ? null : <EarnedPreview of={preview} />}
      <Facts {...facts} />
      <Problems plan={plan} />
      {codes.map((code) => (
        <Doubt
          key={code}
          code={code}
          warnings={plan.warnings.filter((warning) => warning.code === code)}
          isConfirmed={confirmed.includes(code)}
          onChange={(is) =>
            setConfirmed(is ? [...confirmed, code] : confirmed.filter((it) => it !== code))
          }
        />
      ))}
      <TextInput
        label={t('note')}
        description={t('noteHint')}
        maxLength={500}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <SavingProblem error={saving.error} onAgain={again} />
      <Group justify="flex-end">
        {onBack === null ? null : (
          <Button variant="default" onClick={onBack}>
            {t('back')}
          </Button>
        )}
        <Button
          loading={saving.isPending}
          disabled={isOpen || !isPossible}
          title={isOpen ? t('confirmFirst') : ''}
          onClick={() => saving.mutate()}
        >
          {prices.length === 0 ? t('saveNone') : t('save', { count: prices.length })}
        </Button>
      </Group>
    </Stack>
  );
}

/** Returns the changed prices, without changed notes. */
const pricesIn = ({ changes }: ConfigChange, models: Models): readonly Changed[] =>
  changes.flatMap(({ path, before, after }) => {
    const at = changedPrice(path, models);
    if (at === null || ['example', 'source', 'review'].includes(at.path[0] ?? '')) return [];
    return [{ ...at, before: shownValue(before), after: shownValue(after) }];
  });

type ChangesProps = { readonly prices: readonly Changed[]; readonly models: Models };

function Changes({ prices, models }: ChangesProps) {
  const t = useTexts(pricesTexts);
  const itemName = useItemName();
  const channelName = useChannelName();
  const { percent } = useFormats();
  const shown = (value: string | null, absent: string): string => {
    if (value === null) return absent;
    return isPrice(value) ? formatExact(parseAmount(value)) : value;
  };
  const columns: readonly Column<Changed>[] = [
    {
      name: 'what',
      heading: t('what'),
      cell: ({ path, ...at }) => (
        <>
          {at.model} · {channelName(at.channel)}
          <Text span inherit c="dimmed">
            {` · ${itemName(path, channelIn(models, at)?.['price'])}`}
          </Text>
        </>
      ),
    },
    {
      name: 'before',
      heading: t('before'),
      end: true,
      cell: ({ before }) => shown(before, NOTHING),
    },
    {
      name: 'after',
      heading: t('after'),
      end: true,
      phone: 'amount',
      cell: ({ after }) => shown(after, t('removed')),
    },
    {
      name: 'change',
      heading: t('change'),
      end: true,
      cell: (price) => {
        const ratio = ratioOf(price);
        return ratio === null ? NOTHING : `${ratio > 0 ? '+' : ''}${percent(ratio)}`;
      },
    },
  ];
  if (prices.length === 0) return <Text size="sm">{t('unchanged')}</Text>;
  return (
    <DataTable
      label={t('changes')}
      columns={columns}
      rows={prices}
      keyOf={({ model, channel, path }) => JSON.stringify([model, channel, path])}
    />
  );
}

const FULL = 10_000n;

/**
 * Returns the relative change of a price, for display. Returns null if the price before or after is
 * absent, or if the price before was zero.
 */
function ratioOf({ before, after }: Changed): number | null {
  if (before === null || after === null || !isPrice(before) || !isPrice(after)) return null;
  const was = parseAmount(before);
  return was === 0n ? null : Number(((parseAmount(after) - was) * FULL) / was) / Number(FULL);
}

function Facts({ rounded = 0, withoutCost = 0 }: Partial<Multiplied>) {
  const t = useTexts(pricesTexts);
  return [
    rounded === 0 ? null : t('rounded', { count: rounded }),
    withoutCost === 0 ? null : t('withoutCost', { count: withoutCost }),
  ].map((text) =>
    text === null ? null : (
      <Text key={text} variant="note">
        {text}
      </Text>
    ),
  );
}

/** The errors that prevent the change, and further warnings. */
function Problems({ plan: { errors, warnings } }: { readonly plan: ConfigChange }) {
  const others = warnings.filter((warning) => !isDoubtful(warning));
  return (
    <>
      {errors.length === 0 ? null : (
        <Alert color="red" role="alert">
          <Lines of={errors} />
        </Alert>
      )}
      {others.length === 0 ? null : <Lines of={others} />}
    </>
  );
}

const MAX_LINES = 10;

/** Lists the API's messages: the first `MAX_LINES`, and the number of the others. */
function Lines({ of }: { readonly of: readonly Finding[] }) {
  const findingText = useFindingText();
  return (
    <Stack gap={2}>
      {of.slice(0, MAX_LINES).map((finding) => (
        <Text key={`${finding.path} ${finding.message}`} size="sm">
          {findingText(finding)}
        </Text>
      ))}
      {of.length > MAX_LINES ? <Text size="sm">+ {of.length - MAX_LINES}</Text> : null}
    </Stack>
  );
}

type DoubtProps = {
  readonly code: Code;
  readonly warnings: readonly Warning[];
  readonly isConfirmed: boolean;
  readonly onChange: (isConfirmed: boolean) => void;
};

function Doubt({ code, warnings, isConfirmed, onChange }: DoubtProps) {
  const t = useTexts(pricesTexts);
  const words: Partial<Record<Code, string>> = {
    price_zero: t('price_zero'),
    price_jump: t('price_jump'),
    below_cost: t('below_cost'),
    limited_to_removed: t('limited_to_removed'),
  };
  return (
    <Alert color="yellow">
      <Stack gap="xs">
        <Lines of={warnings} />
        <Checkbox
          label={words[code] ?? code}
          checked={isConfirmed}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      </Stack>
    </Alert>
  );
}

type SavingProblemProps = { readonly error: Error | null; readonly onAgain: () => void };

/** The error of saving. If the settings have changed, the review can be repeated. */
function SavingProblem({ error, onAgain }: SavingProblemProps) {
  const t = useTexts(pricesTexts);
  const own = usePerson()?.name;
  if (error === null) return null;
  if (!isStale(error)) return <ApiProblem error={error} />;
  const { revision, by } = error.extra;
  return (
    <Alert color="yellow" role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {t(by === own ? 'ownChange' : 'otherChange', {
            revision: String(revision ?? ''),
            by: String(by ?? ''),
          })}
        </Text>
        <Button size="xs" variant="default" onClick={onAgain}>
          {t('again')}
        </Button>
      </Stack>
    </Alert>
  );
}
