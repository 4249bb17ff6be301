/**
 * The dialog that sets the spending limits on all API keys that a person created in the account.
 */
import { SimpleGrid, Text } from '@mantine/core';
import { Dialog } from '#components/dialog.tsx';
import { FormBody } from '#components/forms/form-footer.tsx';
import { useSharedForm } from '#components/forms/shared-form.ts';
import { useTexts } from '#i18n/texts.ts';
import { useKeyFieldNames } from '#keys/key-field-names.ts';
import { CapField } from '#keys/key-fields.tsx';
import { capOf, capProblems, enteredCap } from '#keys/key-form.ts';
import { keyFormTexts } from '#keys/key-form-texts.ts';
import { type PersonLimits, usePeopleApi, usePeopleChanged } from './people-api.ts';
import { peopleTexts } from './people-texts.ts';
import type { PersonDialogProps } from './person-dialogs.tsx';

export const PersonLimitsDialog = ({ person, ...dialog }: PersonDialogProps) => (
  // The limits have their own entity tag. The dialog needs this tag instead of the person's entity
  // tag.
  <LimitsDialog {...dialog} of={{ ...person, etag: person.limits_etag }} in={person.account.name} />
);

export type LimitsDialogProps = Omit<PersonDialogProps, 'person'> & {
  readonly of: Omit<PersonLimits, 'name'> & { readonly name: string };
  /** The name of the account. */
  readonly in: string;
};

export function LimitsDialog({ opened, onClose, ...limits }: LimitsDialogProps) {
  const t = useTexts(keyFormTexts);
  return (
    <Dialog opened={opened} onClose={onClose} title={t('editTitle', { name: limits.of.name })}>
      <LimitsForm {...limits} onClose={onClose} />
    </Dialog>
  );
}

const enteredOf = ({ limits: { spend } }: Pick<PersonLimits, 'limits'>) => ({
  limits: {
    spend: {
      month: enteredCap(spend.month),
      week: enteredCap(spend.week),
      day: enteredCap(spend.day),
    },
  },
});
type Entered = ReturnType<typeof enteredOf>;

function LimitsForm({ of, in: account, onClose }: Omit<LimitsDialogProps, 'opened'>) {
  const t = useTexts(keyFormTexts);
  const tPeople = useTexts(peopleTexts);
  const { limits: api } = usePeopleApi();
  const changed = usePeopleChanged();
  const { id, name, spend } = of;
  const { form, ...sending } = useSharedForm<Entered, Pick<PersonLimits, 'limits' | 'etag'>>({
    opened: of,
    valuesOf: enteredOf,
    validate: (values) =>
      Object.fromEntries(Object.keys(capProblems(values)).map((path) => [path, t('notAmount')])),
    fieldOf: useKeyFieldNames(),
    read: () => api.read(id),
    change: ({ limits }, { etag }) => {
      const { month, week, day } = limits.spend;
      const caps = { month: capOf(month), week: capOf(week), day: capOf(day) };
      return api.change(id, { limits: { spend: caps } }, etag);
    },
    done: () => t('saved', { name }),
    onSaved: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <FormBody of={sending} submit={t('save')} onCancel={onClose}>
      <Text variant="note">{tPeople('limitLead', { name, account })}</Text>
      <CapField
        form={form}
        window="month"
        spend={spend}
        description={t('monthHint')}
        data-autofocus
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <CapField form={form} window="week" spend={spend} />
        <CapField form={form} window="day" spend={spend} />
      </SimpleGrid>
      <Text variant="caption">{t('utc')}</Text>
    </FormBody>
  );
}
