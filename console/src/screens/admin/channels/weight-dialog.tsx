/** The dialog that changes the weight of a route, as one revision of the configuration. */
import { Alert, NumberInput, Skeleton, Text } from '@mantine/core';
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
import { MAX_WEIGHT, type RoutePlace, shareWith, weightPatch } from './route-weight.ts';
import { weightTexts } from './weight-texts.ts';

export type WeightDialogProps = {
  /** Null while the dialog is closed. */
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
            onReview={(revision, document, weight) => {
              const patch = weightPatch(document, of, weight);
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
  readonly onReview: (revision: number, document: unknown, weight: number) => void;
};

function Weight({ of, onClose, onReview }: WeightProps) {
  const t = useTexts(weightTexts);
  const { data, error, refetch } = useQuery(configQuery);
  if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={120} />;
  const { revision, document, file } = data;
  if (revision === null) return <Alert variant="light">{t('inFile', { file })}</Alert>;
  if (weightPatch(document, of, of.weight) === null) {
    return <Alert color="yellow">{t('gone')}</Alert>;
  }
  return (
    <WeightForm of={of} onClose={onClose} onReview={(to) => onReview(revision, document, to)} />
  );
}

type FormProps = Omit<WeightProps, 'onReview'> & { readonly onReview: (weight: number) => void };

function WeightForm({ of, onClose, onReview }: FormProps) {
  const t = useTexts(weightTexts);
  const channelName = useChannelName();
  const { percent } = useFormats();
  const all = useQuery(routesQuery).data?.data ?? [];
  const { form, ...sending } = useApiForm<{ weight: number | string }, void>({
    initialValues: { weight: of.weight },
    isKept: false,
    validate: ({ weight }) => ({ weight: isWeight(weight) ? null : t('wrong') }),
    send: async ({ weight }) => onReview(Number(weight)),
    onSent: () => undefined,
  });
  const { weight } = form.values;
  return (
    <FormBody of={sending} submit={t('review')} onCancel={onClose}>
      <Text size="sm">{t('hint', { model: of.model, channel: channelName(of.channel) })}</Text>
      <NumberInput
        label={t('weight')}
        min={1}
        max={MAX_WEIGHT}
        allowDecimal={false}
        data-autofocus
        {...form.getInputProps('weight')}
      />
      {isWeight(weight) ? (
        <Text variant="note" role="status">
          {t('share', {
            before: percent(shareWith(of, all, of.weight)),
            after: percent(shareWith(of, all, Number(weight))),
          })}
        </Text>
      ) : null}
    </FormBody>
  );
}

const isWeight = (weight: number | string): boolean =>
  weight !== '' &&
  Number.isInteger(Number(weight)) &&
  Number(weight) >= 1 &&
  Number(weight) <= MAX_WEIGHT;
