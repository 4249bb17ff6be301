/** The frame of pages without a session: the product's name and a centered page. */
import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Announced } from './brand/announced.tsx';
import { BrandFooter } from './brand/brand-footer.tsx';
import { Brand } from './header/brand.tsx';
import { DisplayMenu } from './header/display-menu.tsx';
import classes from './shell.module.css';
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
    <div className={classes['plain']}>
      <header className={classes['bar']}>
        <Brand />
        <DisplayMenu />
      </header>
      <Announced m="md" />
      <main id={MAIN_ID} className={classes['plainMain']}>
        {children}
      </main>
      <BrandFooter />
    </div>
  );
}
