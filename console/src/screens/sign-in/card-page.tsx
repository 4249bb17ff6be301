/** The frame of the setup pages: a single card (a bordered box) in the center. */
import { Card, Container } from '@mantine/core';
import { Page, type PageProps } from '#components/page.tsx';

export type CardPageProps = Omit<PageProps, 'actions'> & {
  /** The width of the card in pixels. */
  readonly width: number;
};

export function CardPage({ width, ...page }: CardPageProps) {
  return (
    <Container size={width} w="100%" px={0}>
      <Card p={{ base: 'md', xs: 'xl' }}>
        <Page {...page} />
      </Card>
    </Container>
  );
}
