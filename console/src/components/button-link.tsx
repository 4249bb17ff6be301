/** Router links that look like components of the component library. */
import {
  ActionIcon,
  type ActionIconProps,
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  Menu,
  type MenuItemProps,
  NavLink,
  type NavLinkProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

/** The props of a library component, and those of the `<a>` element that it is rendered as. */
type AsAnchor<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

/** A link that looks like a button. */
export const ButtonLink = createLink((props: AsAnchor<ButtonProps>) => (
  <Button component="a" {...props} />
));

/** A link that looks like text, for paragraphs and table cells. */
export const TextLink = createLink((props: AsAnchor<AnchorProps>) => <Anchor {...props} />);

/** A link to a page in the side menu. */
export const PageLink = createLink((props: AsAnchor<NavLinkProps>) => (
  <NavLink component="a" {...props} />
));

/** A link in an opened menu. */
export const MenuLink = createLink((props: AsAnchor<MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
));

/** A link that is only an icon; its name is the `aria-label`. */
export const IconLink = createLink((props: AsAnchor<ActionIconProps>) => (
  <ActionIcon component="a" {...props} />
));
