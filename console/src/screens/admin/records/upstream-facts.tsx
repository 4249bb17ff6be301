/** Shows the kind, address and credentials of an upstream, and the settings for its server. */
import { Card, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Fact, FactGrid } from '#components/facts.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { providersQuery } from '#screens/admin/providers/provider-queries.ts';
import { providerTexts } from '#screens/admin/providers/provider-texts.ts';
import { type StoredSecret, secretsQuery } from '#screens/admin/secrets/secret-queries.ts';
import type { SettingField } from '#screens/admin/settings/config-queries.ts';
import { keysInRecord, pathOf } from '#screens/admin/settings/setting-edits.ts';
import { useFieldWords } from '#screens/admin/settings/setting-names.ts';
import { fieldValue } from './record-page.tsx';
import { recordTexts } from './record-texts.ts';

export function UpstreamFacts({ fields }: { readonly fields: readonly SettingField[] }) {
  const t = useTexts(recordTexts);
  const { list } = useFormats();
  const words = useFieldWords();
  const providers = useQuery(providersQuery).data?.data;
  const tProvider = useTexts(providerTexts);
  const make = fieldValue(fields, 'make');
  const quirks = fields.filter(
    (field) => ['quirks', 'pass'].includes(keysInRecord(field)[0] ?? '') && field.value !== null,
  );
  const facts: readonly Fact[] = [
    {
      name: t('make'),
      value:
        make === null
          ? t('builtin')
          : make === 'generic'
            ? tProvider('compatible')
            : (providers?.find((each) => each.make === make)?.name ?? make),
    },
    { name: t('address'), value: fieldValue(fields, 'base_url') },
    { name: t('signIn'), value: fieldValue(fields, 'sign_in.kind') },
    ...fields
      .filter(({ type, value }) => type === 'secret' && value !== null)
      .map((field) => ({ name: words(field).name, value: <Credential field={field} /> })),
    {
      name: t('set'),
      value: list(quirks.map((field) => words(field).name)),
    },
  ];
  return (
    <Card>
      <FactGrid cols={{ base: 1, sm: 2, md: 3 }} facts={facts} />
    </Card>
  );
}

const REFERENCE = /^\$\{(?<kind>secret:)?(?<name>[^}]*)\}$/;

/**
 * Shows where a credential comes from. For a stored secret, also shows its last characters, and who
 * set it and when.
 */
function Credential({ field }: { readonly field: SettingField }): ReactNode {
  const t = useTexts(recordTexts);
  const { data } = useQuery(secretsQuery);
  const written = String(field.value);
  if (written === 'none') return t('noKey');
  const { kind, name = '' } = REFERENCE.exec(written)?.groups ?? {};
  if (name === '') return t('inSettings');
  if (kind === undefined) return t('reference', { name });
  const secret = data?.data.find((each) => each.used_by.includes(pathOf(field)));
  return (
    <Stack gap={2}>
      <span>{name}</span>
      {secret === undefined ? null : <Stored secret={secret} />}
    </Stack>
  );
}

function Stored({ secret }: { readonly secret: StoredSecret }) {
  const t = useTexts(recordTexts);
  const { ago } = useFormats();
  const { state, last_four: ends, set_at: at, set_by: by, set_by_name: name } = secret;
  const who = by === 'admin' ? t('admin') : (name ?? by ?? '');
  const parts = [
    ...(state === 'ready' ? [] : [t(state)]),
    ...(ends === null ? [] : [t('ends', { ends })]),
    ...(at === null ? [] : [t('setBy', { ago: ago(at), name: who })]),
  ];
  return <Text variant="caption">{parts.join(' · ')}</Text>;
}
