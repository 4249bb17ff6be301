/** The form of the brand: name and look, help and texts, and an announcement. */
import {
  Button,
  Fieldset,
  Group,
  Select,
  SimpleGrid,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStale } from '#api/api-error.ts';
import { DayInput } from '#components/forms/day-input.tsx';
import { useUnsaved } from '#components/forms/unsaved.ts';
import { SectionCard } from '#components/section-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { useTimeZone } from '#i18n/time-zone.ts';
import {
  ChangeDialog,
  ChangeProblem,
  type Proposal,
} from '#screens/admin/settings/change-dialog.tsx';
import { patchConfig, useConfigChanged } from '#screens/admin/settings/config-queries.ts';
import { ACCENT } from '#theme/palette.ts';
import { type BrandValues, fieldOf, patchOf, valuesOf } from './brand-values.ts';
import { brandingTexts } from './branding-texts.ts';
import { ColorField } from './color-field.tsx';
import { LogoField } from './logo-field.tsx';

/** The API's limits, in characters. */
const MAX_NAME = 40;
const MAX_URL = 2000;
const MAX_PAGE = 60_000;
const MAX_ANNOUNCEMENT = 300;

export type BrandingFormProps = {
  /** The section `brand` of the configuration, as the API returns it. */
  readonly brand: unknown;
  /**
   * The newest revision of the configuration. If it is null, the configuration is in the file, and
   * the form is read-only.
   */
  readonly revision: number | null;
};

export function BrandingForm({ brand, revision }: BrandingFormProps) {
  const t = useTexts(brandingTexts);
  const timeZone = useTimeZone();
  const changed = useConfigChanged();
  const [proposal, setProposal] = useState<Proposal | null>(null);
  // Only own edits are sent, even if somebody else has saved another brand in the meantime.
  const [opened] = useState(brand);
  const form = useForm<BrandValues>({ initialValues: valuesOf(opened, timeZone) });
  const saved = useUnsaved(form.isDirty());
  const trying = useMutation({
    mutationFn: async (values: BrandValues): Promise<Proposal> => {
      const send = patchConfig(revision ?? 0, patchOf(opened, values, timeZone));
      return { send, plan: await send({ dry_run: 'true' }) };
    },
    onSuccess: (tried) => {
      const problems = tried.plan.errors.map(({ path, message }) => ({
        field: fieldOf(path),
        message,
      }));
      const atFields = problems.flatMap(({ field, message }) =>
        field === null ? [] : [[field, message] as const],
      );
      form.setErrors(Object.fromEntries(atFields));
      if (atFields.length < problems.length || problems.length === 0) setProposal(tried);
      else form.getInputNode(atFields[0]?.[0] ?? '')?.focus();
    },
    onError: (error) => (isStale(error) ? changed() : undefined),
  });
  return (
    <>
      <form
        onSubmit={form.onSubmit((values) => {
          if (!trying.isPending) trying.mutate(values);
        })}
        noValidate
      >
        <Fieldset
          variant="unstyled"
          disabled={revision === null}
          m={0}
          style={{ display: 'grid', gap: 'var(--mantine-spacing-md)' }}
        >
          <LookCard form={form} />
          <TextsCard form={form} />
          <AnnouncementCard form={form} />
          {trying.error === null ? null : <ChangeProblem error={trying.error} />}
          {revision === null ? null : (
            <Group>
              <Button type="submit" loading={trying.isPending} disabled={!form.isDirty()}>
                {t('review')}
              </Button>
            </Group>
          )}
        </Fieldset>
      </form>
      <ChangeDialog
        proposal={proposal}
        onClose={() => setProposal(null)}
        onMade={() => {
          saved();
          // The HTML page contains name, logo and colors, so it is reloaded.
          globalThis.location.reload();
        }}
      />
    </>
  );
}

type CardProps = { readonly form: ReturnType<typeof useForm<BrandValues>> };

function LookCard({ form }: CardProps) {
  const t = useTexts(brandingTexts);
  return (
    <SectionCard title={t('look')} size="h5">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          placeholder="Modelgate"
          maxLength={MAX_NAME}
          {...form.getInputProps('name')}
        />
        <LogoField label={t('logo')} {...form.getInputProps('logo')} />
        <ColorField
          label={t('accent')}
          description={t('accentHint', { example: ACCENT[6] })}
          {...form.getInputProps('accent')}
        />
        <ColorField
          label={t('accentDark')}
          description={t('accentDarkHint')}
          preset={form.values.accent}
          {...form.getInputProps('accent_dark')}
        />
      </SimpleGrid>
    </SectionCard>
  );
}

function TextsCard({ form }: CardProps) {
  const t = useTexts(brandingTexts);
  const page = { autosize: true, minRows: 4, maxRows: 16, maxLength: MAX_PAGE };
  const [terms, privacy] = [t('terms'), t('privacy')];
  return (
    <SectionCard title={t('help')} size="h5">
      <TextInput
        label={t('support')}
        description={t('supportHint')}
        placeholder="https://"
        maxLength={MAX_URL}
        maw={480}
        {...form.getInputProps('support_url')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Textarea
          label={t('inEnglish', { what: terms })}
          description={t('markdown')}
          {...page}
          {...form.getInputProps('terms_en')}
        />
        <Textarea
          label={t('inChinese', { what: terms })}
          description={t('asEnglish')}
          {...page}
          {...form.getInputProps('terms_zh')}
        />
        <Textarea
          label={t('inEnglish', { what: privacy })}
          description={t('markdown')}
          {...page}
          {...form.getInputProps('privacy_en')}
        />
        <Textarea
          label={t('inChinese', { what: privacy })}
          description={t('asEnglish')}
          {...page}
          {...form.getInputProps('privacy_zh')}
        />
      </SimpleGrid>
    </SectionCard>
  );
}

function AnnouncementCard({ form }: CardProps) {
  const t = useTexts(brandingTexts);
  const text = t('announced');
  return (
    <SectionCard title={t('announcement')} size="h5">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('inEnglish', { what: text })}
          description={t('announcedHint')}
          maxLength={MAX_ANNOUNCEMENT}
          {...form.getInputProps('announcement_en')}
        />
        <TextInput
          label={t('inChinese', { what: text })}
          description={t('asEnglish')}
          maxLength={MAX_ANNOUNCEMENT}
          {...form.getInputProps('announcement_zh')}
        />
        <DayInput label={t('from')} {...form.getInputProps('from')} value={form.values.from} />
        <DayInput label={t('until')} {...form.getInputProps('until')} value={form.values.until} />
        <Select
          label={t('level')}
          allowDeselect={false}
          data={[
            { value: 'info', label: t('info') },
            { value: 'warning', label: t('warning') },
          ]}
          {...form.getInputProps('level')}
        />
        <Switch
          label={t('dismissible')}
          style={{ alignSelf: 'end' }}
          {...form.getInputProps('dismissible', { type: 'checkbox' })}
        />
      </SimpleGrid>
    </SectionCard>
  );
}
