/** The profile: name, time zone, password, two-factor authentication and sessions. */
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiProblem } from '#components/api-problem.tsx';
import { Page } from '#components/page.tsx';
import { useTexts } from '#i18n/texts.ts';
import { navigationTexts } from '#shell/navigation.ts';
import { IdentityCard } from './profile/identity-card.tsx';
import { PasswordCard } from './profile/password-card.tsx';
import { profileQuery } from './profile/profile-queries.ts';
import { SessionsCard } from './profile/sessions-card.tsx';
import { TimeZoneCard } from './profile/time-zone-card.tsx';
import { TotpCard } from './profile/totp-card.tsx';

/**
 * The heights of the placeholders, equal to those of the cards so that the layout does not jump.
 */
const CARD_HEIGHTS_PX = [250, 150, 300, 140, 260];

export function ProfileScreen() {
  const t = useTexts(navigationTexts);
  const { data: profile, error, refetch } = useQuery(profileQuery);
  return (
    <Page title={t('profile')}>
      <Stack maw={860}>
        {error === null ? null : <ApiProblem error={error} onRetry={() => void refetch()} />}
        {profile !== undefined ? (
          <>
            <IdentityCard profile={profile} />
            <TimeZoneCard />
            <PasswordCard />
            <TotpCard profile={profile} />
            <SessionsCard />
          </>
        ) : error === null ? (
          CARD_HEIGHTS_PX.map((height) => <Skeleton key={height} height={height} />)
        ) : null}
      </Stack>
    </Page>
  );
}
