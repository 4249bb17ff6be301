/** What people of an account may be, and what they may do with it. */
import type { Role } from '../api/session.ts';
import { defineTexts, useTexts } from './texts.ts';

const texts = defineTexts('roles', {
  en: {
    read_only: 'Reader',
    member: 'Member',
    owner: 'Owner',
    administrator: 'Administrator',
    read_only_rights: 'Sees keys, usage, requests and balances, and changes nothing.',
    member_rights:
      'Makes and changes API keys and uses the playground, and sees what a reader sees.',
    owner_rights: 'Does what a member does, tops up, sets alerts, and invites and removes people.',
    administrator_rights: 'Does everything, for every account of the gateway.',
  },
  zh: {
    read_only: '只读成员',
    member: '成员',
    owner: '所有者',
    administrator: '管理员',
    read_only_rights: '可查看密钥、用量、请求与余额，不能做任何更改。',
    member_rights: '可创建和修改 API 密钥、使用演练场，并可查看用量与余额。',
    owner_rights: '拥有成员的全部权限，还可充值、设置提醒、邀请和移除成员。',
    administrator_rights: '拥有网关所有账户的全部权限。',
  },
});

export function useRoleName(): (role: Role) => string {
  return useTexts(texts);
}

/** @returns what somebody with the role may do, in a sentence. */
export function useRoleRights(): (role: Role) => string {
  const t = useTexts(texts);
  return (role) => t(`${role}_rights`);
}
