/** The images of this tab, with their cost and expiry. */
import { Button, Card, Group, Loader, Skeleton, Stack, Text } from '@mantine/core';
import { IconForms, IconPlayerStopFilled, IconRefresh, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { RequestProblem } from '#bill/request-problem.tsx';
import { CopyIcon } from '#components/copy-icon.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { Money } from '#money/money.tsx';
import { Action, LogLink } from '#screens/playground/chat/answer/answer-actions.tsx';
import type { Generated } from './generate.ts';
import { proportionOf } from './image-form.ts';
import { SHELF_LIMITS } from './image-shelf.ts';
import type { ImageRun, ImageStore } from './image-store.ts';
import classes from './images.module.css';
import { imagesTexts } from './images-texts.ts';
import { Lightbox } from './lightbox.tsx';
import { Pictures, picturesOf } from './pictures.tsx';

export type GalleryProps = { readonly store: ImageStore; readonly runs: readonly ImageRun[] };

export function Gallery({ store, runs }: GalleryProps) {
  const t = useTexts(imagesTexts);
  const [shown, show] = useState<string | null>(null);
  const nowMs = useNow(HALF_MINUTE_MS);
  return (
    <section className={classes['runs']} aria-label={t('gallery')}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Dimmed>
          {t('kept', { runs: SHELF_LIMITS.runs, megabytes: SHELF_LIMITS.bytes / 1e6 })}
        </Dimmed>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          flex="none"
          onClick={() => store.clear()}
        >
          {t('clear')}
        </Button>
      </Group>
      {runs.map((run) => (
        <RunCard key={run.id} store={store} run={run} onOpen={show} />
      ))}
      <Lightbox
        pictures={runs.flatMap((run) => picturesOf(run, nowMs))}
        src={shown}
        onShow={show}
        onReuse={({ form }) => {
          store.setForm(form);
          show(null);
        }}
      />
    </section>
  );
}

type RunCardProps = { readonly store: ImageStore; readonly run: ImageRun };

function RunCard({
  store,
  run,
  onOpen,
}: RunCardProps & { readonly onOpen: (src: string) => void }) {
  const { result } = run;
  return (
    <Card padding="md">
      <Stack gap="sm">
        <RunHead store={store} run={run} />
        {result.phase === 'running' ? <Running store={store} run={run} /> : null}
        {result.phase === 'done' ? (
          <Finished run={run} generated={result.generated} onOpen={onOpen} />
        ) : null}
        {result.phase === 'failed' ? <Failed store={store} run={run} error={result.error} /> : null}
        {result.phase === 'stopped' ? <Note name="stopped" /> : null}
      </Stack>
    </Card>
  );
}

function RunHead({ store, run: { id, form, result } }: RunCardProps) {
  const t = useTexts(imagesTexts);
  const requestId = result.phase === 'done' ? result.generated.requestId : null;
  return (
    <Group justify="space-between" align="flex-start" gap={4}>
      <div className={classes['about']}>
        <Text size="sm" className={classes['prompt'] ?? ''} title={form.prompt}>
          {form.prompt}
        </Text>
        <Text variant="caption">
          {[form.model, form.size.replace('x', ' × '), form.quality, form.style]
            .filter((fact) => fact !== null)
            .join(' · ')}
        </Text>
      </div>
      <Group gap={2} wrap="nowrap">
        <CopyIcon value={form.prompt} label={t('copyPrompt')} />
        <Action label={t('reuse')} onClick={() => store.setForm(form)}>
          <IconForms size={16} />
        </Action>
        <Action label={t('again')} onClick={() => store.regenerate(form)}>
          <IconRefresh size={16} />
        </Action>
        {requestId === null ? null : <LogLink requestId={requestId} />}
        <Action label={t('remove')} onClick={() => store.remove(id)}>
          <IconX size={16} />
        </Action>
      </Group>
    </Group>
  );
}

const SECOND_MS = 1_000;

function Running({ store, run: { id, form, startedMs } }: RunCardProps) {
  const t = useTexts(imagesTexts);
  const formats = useFormats();
  const seconds = Math.max(0, Math.floor((useNow(SECOND_MS) - startedMs) / SECOND_MS));
  const { width, height } = proportionOf(form.size);
  return (
    <>
      <div className={classes['pictures']}>
        {Array.from({ length: form.count }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items are identical.
          <Skeleton key={at} radius="md" style={{ aspectRatio: `${width} / ${height}` }} />
        ))}
      </div>
      <Group justify="space-between">
        <Group gap="xs" role="status">
          <Loader size="xs" aria-hidden />
          <Text variant="note">
            {t('running', { time: formats.duration(seconds * SECOND_MS) })}
          </Text>
        </Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlayerStopFilled size={14} aria-hidden />}
          onClick={() => store.stop(id)}
        >
          {t('stop')}
        </Button>
      </Group>
    </>
  );
}

const HALF_MINUTE_MS = 30_000;

type FinishedProps = Pick<RunCardProps, 'run'> & {
  readonly generated: Generated;
  readonly onOpen: (src: string) => void;
};

function Finished({ run, generated, onOpen }: FinishedProps) {
  const t = useTexts(imagesTexts);
  const formats = useFormats();
  const nowMs = useNow(HALF_MINUTE_MS);
  const { pictures, expiresAt, cost } = generated;
  const shown = picturesOf(run, nowMs);
  const isExpired = shown.length === 0;
  const revised = new Set(
    pictures.map(({ revisedPrompt }) => revisedPrompt).filter((text) => text !== run.form.prompt),
  );
  return (
    <>
      {isExpired ? <Dimmed>{t('expired')}</Dimmed> : <Pictures pictures={shown} onOpen={onOpen} />}
      {[...revised].map((prompt) =>
        prompt === null ? null : <Dimmed key={prompt}>{t('revised', { prompt })}</Dimmed>,
      )}
      <Group justify="space-between" gap="xs">
        <Dimmed>
          {expiresAt === null || isExpired ? '' : t('expires', { when: formats.ago(expiresAt) })}
        </Dimmed>
        {cost === null ? null : (
          <Text size="sm" fw={600}>
            <Money amount={cost.amount} currency={cost.currency} exact />
          </Text>
        )}
      </Group>
    </>
  );
}

function Failed({
  store,
  run,
  error,
}: RunCardProps & { readonly error: Error & { code: string } }) {
  return (
    <>
      <RequestProblem error={error} onRetry={() => store.retry(run.id)} />
      {error.code === 'content_policy_violation' ? <Note name="refused" /> : null}
    </>
  );
}

function Note({ name }: { readonly name: 'stopped' | 'refused' }) {
  const t = useTexts(imagesTexts);
  return <Dimmed>{t(name)}</Dimmed>;
}

const Dimmed = ({ children }: { readonly children: ReactNode }) => (
  <Text variant="note">{children}</Text>
);

/** Returns the Unix time in milliseconds, updated every `everyMs` milliseconds. */
function useNow(everyMs: number): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
