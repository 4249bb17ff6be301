/** The dialogs that create, change and remove a price list, each with a review of the change. */
import { MultiSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JsonObject } from '#api/json.ts';
import { offersQuery } from '#catalogue/price-origin.tsx';
import { Dialog } from '#components/dialog.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { useTexts } from '#i18n/texts.ts';
import { isFactor } from '../prices/price-edit.ts';
import { ChangeDialog, type Proposal } from '../settings/change-dialog.tsx';
import { patchConfig } from '../settings/config-queries.ts';
import type { PriceList } from './price-list-queries.ts';
import { priceListTexts } from './price-lists-texts.ts';

/** Sends a change of a price list as a dry run. A null change removes the list. */
export async function proposalOf(
  revision: number,
  name: string,
  change: JsonObject | null,
): Promise<Proposal> {
  const send = patchConfig(revision, { price_lists: { [name]: change } });
  return { send, plan: await send({ dry_run: 'true' }) };
}

export type PriceListDialogProps = {
  /** The list to change, or `new` for a new list; null while the dialog is closed. */
  readonly of: PriceList | 'new' | null;
  readonly revision: number;
  readonly taken: readonly string[];
  readonly onClose: () => void;
};

export function PriceListDialog({ of, onClose, ...rest }: PriceListDialogProps) {
  const t = useTexts(priceListTexts);
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const title = of === null || of === 'new' ? t('addTitle') : t('editTitle', { name: of.name });
  return (
    <>
      <Dialog opened={of !== null} onClose={onClose} title={title}>
        {of === null ? null : (
          <PriceListForm {...rest} of={of} onProposed={setProposal} onClose={onClose} />
        )}
      </Dialog>
      <ChangeDialog proposal={proposal} onClose={() => setProposal(null)} onMade={onClose} />
    </>
  );
}

type FormProps = Omit<PriceListDialogProps, 'of'> & {
  readonly of: PriceList | 'new';
  readonly onProposed: (proposal: Proposal) => void;
};

function PriceListForm({ of, revision, taken, onProposed, onClose }: FormProps) {
  const t = useTexts(priceListTexts);
  const { data } = useQuery(offersQuery);
  const list = of === 'new' ? null : of;
  const { form, ...sending } = useApiForm<
    { readonly name: string; readonly factor: string; readonly only: string[] },
    Proposal
  >({
    initialValues: {
      ...{ name: list?.name ?? '', factor: list?.factor ?? '', only: [...(list?.only ?? [])] },
    },
    validate: ({ name, factor }) => ({
      name:
        list !== null
          ? null
          : taken.includes(name)
            ? t('nameTaken')
            : /^(?!none$)[a-z0-9][a-z0-9_-]{0,47}$/.test(name)
              ? null
              : t('nameWrong'),
      factor: isFactor(factor.trim()) ? null : t('factorWrong'),
    }),
    send: ({ name, factor, only }) =>
      proposalOf(revision, name, {
        factor: factor.trim(),
        // In a merge patch, null removes the setting. Without the setting, the price list sells all
        // models.
        only: only.length === 0 ? null : only,
      }),
    onSent: onProposed,
  });
  const sold = new Set(data?.data.map(({ model }) => model));
  return (
    <FormBody of={sending} submit={t('review')} onCancel={onClose}>
      {list === null ? (
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          maxLength={48}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
      ) : null}
      <TextInput
        label={t('factor')}
        description={t('factorHint')}
        inputMode="decimal"
        autoComplete="off"
        maxLength={16}
        {...form.getInputProps('factor')}
      />
      <MultiSelect
        label={t('models')}
        description={t('modelsHint')}
        placeholder={form.values.only.length === 0 ? t('all') : ''}
        data={[...sold]}
        searchable
        clearable
        hidePickedOptions
        {...form.getInputProps('only')}
      />
    </FormBody>
  );
}
