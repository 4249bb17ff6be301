/** The dialog that changes a route's priority and weight, as one revision of the configuration. */
import { Alert, NumberInput, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useChannelName } from '#catalogue/model-facts.tsx';
import { ApiProblem } from '#components/api-problem.tsx';
import { Dialog } from '#components/dialog.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { configQuery } from '#screens/admin/providers/provider-queries.ts';
import { useProposing } from '#screens/admin/records/proposing.ts';
import { ChangeDialog, ChangeProblem } from '#screens/admin/settings/change-dialog.tsx';
import { patchConfig } from '#screens/admin/settings/config-queries.ts';
import { routesQuery } from './channel-queries.ts';
import {
  MAX_PRIORITY,
  MAX_WEIGHT,
  type Rank,
  type RoutePlace,
  rankPatch,
  shareWith,
} from './route-weight.ts';
import { weightTexts } from './weight-texts.ts';

export type WeightDialogProps = {
  /** The route to change; null while the dialog is closed. */
  readonly of: RoutePlace | null;
  readonly onClose: () => void;
};

export function WeightDialog({ of, onClose }: WeightDialogProps) {
  const t = useTexts(weightTexts);
  const { propose, proposal, close, problem } = useProposing<null>();
  const route = of === null ? '' : `${of.upstream}/${of.upstream_model}`;
  return (
    <>
      <Dialog
        opened={of !== null && proposal === null}
        onClose={onClose}
        title={t('titleOf', { route })}
      >
        {problem === null ? null : <ChangeProblem error={problem} />}
        {of === null ? null : (
          <Weight
            of={of}
            onClose={onClose}
            onReview={(revision, document, rank) => {
              const patch = rankPatch(document, of, rank);
              if (patch !== null) propose(null, patchConfig(revision, patch));
            }}
          />
        )}
      </Dialog>
      <ChangeDialog proposal={proposal} onClose={close} onMade={onClose} />
    </>
  );
}

type WeightProps = {
  readonly of: RoutePlace;
  readonly onClose: () => void;
  readonly onReview: (revision: number, document: unknown, rank: Rank) => void;
};

function Weight({ of, onClose, onReview }: WeightProps) {
  const t = useTexts(weightTexts);
  const { data, error, refetch } = useQuery(configQuery);
  if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={120} />;
  const { revision, document, file } = data;
  if (revision === null) return <Alert variant="light">{t('inFile', { file })}</Alert>;
  if (rankPatch(document, of, of) === null) {
    return <Alert color="yellow">{t('gone')}</Alert>;
  }
  return (
    <WeightForm of={of} onClose={onClose} onReview={(to) => onReview(revision, document, to)} />
  );
}

type FormProps = Omit<WeightProps, 'onReview'> & { readonly onReview: (rank: Rank) => void };

function WeightForm({ of, onClose, onReview }: FormProps) {
  const t = useTexts(weightTexts);
  const channelName = useChannelName();
  const { percent } = useFormats();
  const all = useQuery(routesQuery).data?.data ?? [];
  const { form, ...sending } = useApiForm<Typed, void>({
    initialValues: { priority: of.priority, weight: of.weight },
    isKept: false,
    validate: ({ priority, weight }) => ({
      priority: isWhole(priority, MAX_PRIORITY) ? null : t('wrongPriority'),
      weight: isWhole(weight, MAX_WEIGHT) ? null : t('wrong'),
    }),
    send: async (typed) => onReview(rankOf(typed)),
    onSent: () => undefined,
  });
  const { priority, weight } = form.values;
  const shareOf = (rank: Rank): string => {
    const part = shareWith(of, all, rank);
    return part === 0 ? t('standby') : percent(part);
  };
  return (
    <FormBody of={sending} submit={t('review')} onCancel={onClose}>
      <Text size="sm">{t('hint', { model: of.model, channel: channelName(of.channel) })}</Text>
      <SimpleGrid cols={2}>
        <NumberInput
          label={t('priority')}
          min={1}
          max={MAX_PRIORITY}
          allowDecimal={false}
          data-autofocus
          {...form.getInputProps('priority')}
        />
        <NumberInput
          label={t('weight')}
          min={1}
          max={MAX_WEIGHT}
          allowDecimal={false}
          {...form.getInputProps('weight')}
        />
      </SimpleGrid>
      {isWhole(priority, MAX_PRIORITY) && isWhole(weight, MAX_WEIGHT) ? (
        <Text variant="note" role="status">
          {t('share', { before: shareOf(of), after: shareOf(rankOf(form.values)) })}
        </Text>
      ) : null}
    </FormBody>
  );
}

type Typed = { readonly [Name in keyof Rank]: number | string };

const rankOf = ({ priority, weight }: Typed): Rank => ({
  priority: Number(priority),
  weight: Number(weight),
});

const isWhole = (typed: number | string, max: number): boolean =>
  typed !== '' && Number.isInteger(Number(typed)) && Number(typed) >= 1 && Number(typed) <= max;
