/** The pages that a person may open, grouped, with the current one marked. */

import { useLocation } from '@tanstack/react-router';
import { useId } from 'react';
import { mayAs, useSignedIn } from '#api/session.ts';
import { PageLink } from '#components/button-link.tsx';
import { useTexts } from '#i18n/texts.ts';
import { currentPage } from './current-page.ts';
import {
  NAVIGATION,
  type NavigationGroup,
  type NavigationItem,
  navigationTexts,
} from './navigation.ts';
import classes from './shell.module.css';

const ICON_PX = 16;

export type MenuProps = {
  /** Called when a page is chosen, so that a menu covering the page closes. */
  readonly onChosen: () => void;
};

export function Menu({ onChosen }: MenuProps) {
  const { role } = useSignedIn();
  const { pathname } = useLocation();
  const groups = NAVIGATION.map(({ name, items }) => ({
    name,
    items: items.filter(({ least }) => mayAs(role, least)),
  })).filter(({ items }) => items.length > 0);
  const current = currentPage(
    pathname,
    groups.flatMap(({ items }) => items),
  );
  return groups.map((group) => (
    <MenuGroup key={group.name} group={group} current={current} onChosen={onChosen} />
  ));
}

type MenuGroupProps = MenuProps & {
  readonly group: NavigationGroup;
  readonly current: NavigationItem | null;
};

function MenuGroup({ group, current, onChosen }: MenuGroupProps) {
  const t = useTexts(navigationTexts);
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields, not links.
    <div role="group" aria-labelledby={id}>
      <div id={id} className={classes['group']}>
        {t(group.name)}
      </div>
      {group.items.map((item) => (
        // `aria-current` is `page` when the entry's own page is open, and `true` for a page below
        // it.
        <PageLink
          key={item.to}
          label={t(item.name)}
          leftSection={<item.icon size={ICON_PX} color="var(--icon)" aria-hidden />}
          active={item === current}
          className={classes['page']}
          onClick={onChosen}
          to={item.to}
          activeOptions={{ exact: true }}
          aria-current={item === current ? 'true' : undefined}
        />
      ))}
    </div>
  );
}
