/**
 * The spending limit of a key's creator, for owners. It is shown on the key's page, because it
 * still applies to a removed creator, who is not in the list of members.
 */
import { Box } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSignedIn } from '#api/session.ts';
import { RowAction } from '#components/tables/columns.tsx';
import { useTexts } from '#i18n/texts.ts';
import { Spend } from '#keys/budget-bar.tsx';
import { keyTexts } from '#keys/key-texts.ts';
import { OWN_PEOPLE } from '#people/own-people.ts';
import { PeopleApiProvider, type PersonLimits } from '#people/people-api.ts';
import { peopleTexts } from '#people/people-texts.ts';
import { LimitsDialog } from '#people/person-limits-dialog.tsx';

export function CreatorLimit({ of }: { readonly of: PersonLimits }) {
  const t = useTexts(keyTexts);
  const tPeople = useTexts(peopleTexts);
  const { account } = useSignedIn();
  const [opened, { open, close }] = useDisclosure();
  const name = of.name ?? t('somebodyRemoved');
  return (
    <PeopleApiProvider value={OWN_PEOPLE}>
      <Spend of={of} />
      <Box ml="-xs" mt={4}>
        <RowAction label={tPeople('setLimit')} of={name} onClick={open} />
      </Box>
      <LimitsDialog of={{ ...of, name }} in={account.name} opened={opened} onClose={close} />
    </PeopleApiProvider>
  );
}
