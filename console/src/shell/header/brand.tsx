/** The logo and the name of the site, linked to the start page. */
import { Group, Image, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { logoAddress, siteName } from '#api/brand.ts';

export type BrandProps = {
  /** Whether phones show only the logo. Screen readers still read the name. */
  readonly short?: boolean;
};

export function Brand({ short = false }: BrandProps) {
  return (
    <Text component={Link} to="/" c="inherit" td="none" fw={650} fz="lg" aria-label={siteName()}>
      <Group gap={8} wrap="nowrap" component="span">
        <Image src={logoAddress()} alt="" w="auto" maw={96} h={24} fit="contain" />
        <Text span inherit {...(short ? { visibleFrom: 'sm' } : {})}>
          {siteName()}
        </Text>
      </Group>
    </Text>
  );
}
