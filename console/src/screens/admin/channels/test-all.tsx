/** Tests groups of routes, a few at a time, and lists the results as they arrive. */
import { Button, Group, Stack } from '@mantine/core';
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
import type { TestedRoute } from './route-groups.ts';
import { useTestProblem } from './test-problem-texts.ts';

/** The maximum number of tests at once, because providers may limit concurrent requests. */
const AT_A_TIME = 3;

export type RouteGroup = {
  /** The label of the group's button. */
  readonly label: string;
  readonly routes: readonly TestedRoute[];
};

export type TestAllProps = {
  readonly groups: readonly RouteGroup[];
  /** A merge patch with unsaved settings of the upstream, which the tests apply. */
  readonly change?: JsonObject | undefined;
};

type Result = TestedRoute & { readonly found: UpstreamTest | Error | null };

export function TestAll({ groups, change }: TestAllProps) {
  const t = useTexts(channelTexts);
  const [results, setResults] = useState<readonly Result[]>([]);
  const isOpen = useRef(true);
  const isRunning = results.some(({ found }) => found === null);
  // Records that the sheet was closed, so that no further tests start.
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const run = async (routes: readonly TestedRoute[]): Promise<void> => {
    setResults(routes.map((route) => ({ ...route, found: null })));
    const waiting = [...routes];
    const next = async (): Promise<void> => {
      for (let route = waiting.shift(); route !== undefined; route = waiting.shift()) {
        if (!isOpen.current) return;
        const { upstream: name, model } = route;
        const found = await testUpstream({ name, model, change }).catch((error: Error) => error);
        setResults((all) =>
          all.map((each) => (keyOf(each) === `${name}/${model}` ? { ...each, found } : each)),
        );
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, next));
  };
  const columns = useColumns(results);
  if (groups.length === 0) return null;
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {groups.map(({ label, routes }) => (
          <Button
            key={label}
            variant="default"
            leftSection={<IconListCheck size={16} />}
            disabled={isRunning}
            onClick={() => void run(routes)}
          >
            {label}
          </Button>
        ))}
      </Group>
      {results.length === 0 ? null : (
        <DataTable label={t('results')} columns={columns} rows={results} keyOf={keyOf} />
      )}
    </Stack>
  );
}

const keyOf = ({ upstream, model }: TestedRoute): string => `${upstream}/${model}`;

const checksOf = ({ found }: Result): UpstreamTest['checks'] =>
  found === null || found instanceof Error ? [] : found.checks;

function useColumns(results: readonly Result[]): readonly Column<Result>[] {
  const t = useTexts(channelTexts);
  const { duration } = useFormats();
  const problemText = useProblemText();
  const testProblem = useTestProblem();
  const areOfOne = new Set(results.map(({ upstream }) => upstream)).size === 1;
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
    return failed === undefined ? null : (testProblem(failed, true) ?? failed.error);
  };
  return [
    areOfOne
      ? textColumn('model', t('model'), ({ model }) => model)
      : textColumn('route', t('route'), keyOf),
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
    textColumn('problem', t('problem'), problemOf),
  ];
}
