/**
 * The button that signs in through the identity provider, and the messages for a failed sign-in.
 */
import { Alert, Button, Divider } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '#api/api-error.ts';
import { answerOf, api } from '#api/client.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { defineTexts, hasText, useTexts } from '#i18n/texts.ts';

const texts = defineTexts('provider-button', {
  en: { go: 'Continue with {{name}}', or: 'or' },
  zh: { go: '使用 {{name}} 登录', or: '或' },
});
/** Texts for the reasons why a sign-in through the identity provider failed, by the API's codes. */
const reasons = defineTexts('provider-reasons', {
  en: {
    canceled: 'The sign-in was canceled at the identity provider. Try again.',
    not_started:
      'This sign-in was not started in this browser, or it took longer than 10 minutes. Start again.',
    refused:
      'The identity provider refused the sign-in. Try again. If it fails again, tell the operator.',
    issuer:
      'The sign-in response was not issued by the configured identity provider. Tell the operator.',
    nonce: "The identity provider's answer belongs to another sign-in. Start again.",
    audience: "The identity provider's answer is for another application. Tell the operator.",
    clock:
      "The identity provider's answer has expired or is not valid yet. Try again. If it fails again, tell the operator that the clock of the gateway or of the identity provider may be wrong.",
    signature:
      "The identity provider's signature is invalid. Try again. If it fails again, tell the operator.",
    email_missing: 'The identity provider sent no email address. Tell the operator.',
    email_not_verified:
      'The identity provider has not verified your email address. Verify it there, then sign in again.',
    domain: 'Email addresses of your domain cannot be used to sign in here. Use another account.',
    no_role:
      'Your account at the identity provider gives you no role in this gateway. Ask the administrator of the identity provider for access.',
    unknown_person:
      'There is no account for your email address. Ask an account owner or an administrator for an invitation.',
    removed: 'You were removed from this gateway. Ask an administrator for an invitation.',
    other_identity:
      'Your email address is already linked to another account at the identity provider. Ask an administrator for help.',
    not_configured: 'Sign-in through an identity provider was turned off. Reload the page.',
    unavailable:
      'The identity provider cannot be reached, or its answer was invalid. Try again in a minute.',
  },
  zh: {
    canceled: '您在身份提供方取消了登录，请重试。',
    not_started: '此次登录不是在本浏览器中发起的，或已超过 10 分钟，请重新开始。',
    refused: '身份提供方拒绝了此次登录。请重试；若仍失败，请告知运营者。',
    issuer: '登录应答并非由已设置的身份提供方签发，请告知运营者。',
    nonce: '身份提供方的应答属于另一次登录，请重新开始。',
    audience: '身份提供方的应答是发给另一个应用的，请告知运营者。',
    clock:
      '身份提供方的应答已过期或尚未生效。请重试；若仍失败，可能是网关或身份提供方的时钟不准，请告知运营者。',
    signature: '身份提供方的签名无效。请重试；若仍失败，请告知运营者。',
    email_missing: '身份提供方未提供邮箱，请告知运营者。',
    email_not_verified: '身份提供方尚未验证您的邮箱。请先在那里验证，再重新登录。',
    domain: '您的邮箱域名不能在此登录，请换一个账号。',
    no_role: '您在身份提供方的账号在本网关中没有对应的角色，请向身份提供方的管理员申请权限。',
    unknown_person: '没有与您的邮箱对应的登录账号，请向账户所有者或管理员索取邀请。',
    removed: '您已被移出本网关，请向管理员索取邀请。',
    other_identity: '您的邮箱已关联身份提供方的另一个账号，请联系管理员。',
    not_configured: '已停用通过身份提供方登录，请刷新页面。',
    unavailable: '无法连接身份提供方，或其应答无效，请稍后重试。',
  },
});

/**
 * The key in `sessionStorage` under which the page to open after the sign-in is stored while the
 * person is at the identity provider.
 */
const NEXT = 'modelgate.next';

/**
 * Returns the page to open after the sign-in. The value is untrusted, since all pages of this
 * origin can write to the storage.
 */
export const keptNext = (): string | undefined => sessionStorage.getItem(NEXT) ?? undefined;

export type ProviderButtonProps = {
  readonly name: string;
  /** The page to open after the sign-in. */
  readonly next: string;
  /** Whether a form is above the button. */
  readonly isSecond: boolean;
};

export function ProviderButton({ name, next, isSecond }: ProviderButtonProps) {
  const t = useTexts(texts);
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => answerOf(api.POST('/console/api/sign-in/oidc')),
    onSuccess: ({ url }) => {
      sessionStorage.setItem(NEXT, next);
      globalThis.location.assign(url);
    },
  });
  return (
    <>
      {isSecond ? <Divider label={t('or')} /> : null}
      {error === null ? null : <ProviderProblem error={error} />}
      <Button
        variant={isSecond ? 'default' : 'filled'}
        fullWidth
        loading={isPending || isSuccess}
        onClick={() => mutate()}
      >
        {t('go', { name })}
      </Button>
    </>
  );
}

/** Shows why a sign-in through the identity provider failed, in the language of the page. */
export function ProviderProblem({ error }: { readonly error: Error }) {
  const t = useTexts(reasons);
  const reason = error instanceof ApiError ? reasonOf(error) : '';
  if (!hasText(reasons, reason)) return <ApiProblem error={error} />;
  return (
    <Alert color="red" variant="light" role="alert">
      {t(reason)}
    </Alert>
  );
}

const reasonOf = ({ code, extra }: ApiError): string =>
  code === 'oidc_unavailable' ? 'unavailable' : String(extra['reason']);
