/** The frame of pages without a session: the product's name and a centered page. */
import { Center, Group, Stack } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Brand } from './header/brand.tsx';
import { DisplayMenu } from './header/display-menu.tsx';
import { MAIN_ID } from './skip-link.tsx';

export function PlainShell() {
  return (
    <PlainFrame>
      <Outlet />
    </PlainFrame>
  );
}

export function PlainFrame({ children }: { readonly children: ReactNode }) {
  return (
    <Stack mih="100vh" gap={0}>
      <Group component="header" justify="space-between" p="md">
        <Brand />
        <DisplayMenu />
      </Group>
      <Center component="main" id={MAIN_ID} flex={1} p="md" pb={96}>
        {children}
      </Center>
    </Stack>
  );
}
