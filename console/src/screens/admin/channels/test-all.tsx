/** Tests all models of an upstream, a few at a time, and lists the results as they come. */
import { Button, Stack } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { JsonObject } from '#api/json.ts';
import { useProblemText } from '#components/problem-texts.ts';
import { Status } from '#components/status.tsx';
import { NOTHING } from '#components/tables/column.ts';
import { textColumn } from '#components/tables/columns.tsx';
import { type Column, DataTable } from '#components/tables/data-table.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { testUpstream, type UpstreamTest } from './channel-queries.ts';
import { channelTexts } from './channels-texts.ts';

/** A provider may limit how many requests run at a time. */
const AT_A_TIME = 3;

export type TestAllProps = {
  readonly upstream: string;
  readonly models: readonly string[];
  /** A merge patch of the upstream's settings that is not saved. */
  readonly change?: JsonObject | undefined;
};

type Result = { readonly model: string; readonly found: UpstreamTest | Error | null };

export function TestAll({ upstream, models, change }: TestAllProps) {
  const t = useTexts(channelTexts);
  const [results, setResults] = useState<readonly Result[]>([]);
  const isOpen = useRef(true);
  const isRunning = results.some(({ found }) => found === null);
  // A closed sheet starts no further tests.
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const run = async (): Promise<void> => {
    setResults(models.map((model) => ({ model, found: null })));
    const waiting = [...models];
    const next = async (): Promise<void> => {
      for (let model = waiting.shift(); model !== undefined; model = waiting.shift()) {
        if (!isOpen.current) return;
        const name = model;
        const found = await testUpstream({ name: upstream, model: name, change }).catch(
          (error: Error) => error,
        );
        setResults((all) => all.map((each) => (each.model === name ? { ...each, found } : each)));
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, next));
  };
  const columns = useColumns();
  if (models.length < 2) return null;
  return (
    <Stack gap="sm">
      <Button
        variant="default"
        leftSection={<IconListCheck size={16} />}
        loading={isRunning}
        onClick={() => void run()}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('testAll', { count: models.length })}
      </Button>
      {results.length === 0 ? null : (
        <DataTable
          label={t('testAll', { count: models.length })}
          columns={columns}
          rows={results}
          keyOf={({ model }) => model}
        />
      )}
    </Stack>
  );
}

const checksOf = ({ found }: Result): UpstreamTest['checks'] =>
  found === null || found instanceof Error ? [] : found.checks;

function useColumns(): readonly Column<Result>[] {
  const t = useTexts(channelTexts);
  const { duration } = useFormats();
  const problemText = useProblemText();
  const isOk = (result: Result): boolean =>
    checksOf(result).length > 0 && checksOf(result).every(({ ok }) => ok);
  const firstByteOf = (result: Result): number | null => {
    const times = checksOf(result).flatMap(({ first_byte_ms: ms }) => (ms === null ? [] : [ms]));
    return times.length === 0 ? null : Math.max(...times);
  };
  const problemOf = (result: Result): string | null => {
    const { found } = result;
    if (found instanceof Error) return problemText(found) ?? found.message;
    const failed = checksOf(result).find(({ ok }) => !ok);
    return failed === undefined ? null : (failed.problem ?? failed.error);
  };
  return [
    textColumn('model', t('model'), ({ model }) => model),
    {
      name: 'status',
      heading: t('status'),
      phone: 'state',
      cell: (result) =>
        result.found === null ? (
          <Status tone="quiet">{t('running')}</Status>
        ) : (
          <Status tone={isOk(result) ? 'good' : 'bad'}>
            {t(isOk(result) ? 'passed' : 'failed')}
          </Status>
        ),
      value: (result) => (isOk(result) ? 1 : 0),
    },
    {
      name: 'first-byte',
      heading: t('firstByte'),
      end: true,
      cell: (result) => {
        const ms = firstByteOf(result);
        return ms === null ? NOTHING : duration(ms);
      },
      value: firstByteOf,
    },
    textColumn('problem', t('lastFailure'), problemOf),
  ];
}
