/** The frame of pages before the sign-in: one centered card. */
import { Card, Container } from '@mantine/core';
import { Page, type PageProps } from '#components/page.tsx';

export type CardPageProps = Omit<PageProps, 'actions'> & {
  /** The width in pixels; the default fits a form. */
  readonly width?: number;
};

export function CardPage({ width = 440, ...page }: CardPageProps) {
  return (
    <Container size={width} w="100%" px={0}>
      <Card p={{ base: 'md', xs: 'xl' }} shadow="sm">
        <Page {...page} />
      </Card>
    </Container>
  );
}
