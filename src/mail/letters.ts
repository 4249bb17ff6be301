/** The words of each letter, in English and Chinese. */
import type { Language, Words } from './letter.ts';

type Said = Readonly<Record<Language, Words>>;

/** The letter of the test button. */
export const testWords = (brand: string): Said => ({
  en: {
    subject: `Test e-mail from ${brand}`,
    paragraphs: ['This is a test e-mail. The mail server works.'],
  },
  zh: {
    subject: `来自 ${brand} 的测试邮件`,
    paragraphs: ['这是一封测试邮件，邮件服务器工作正常。'],
  },
});
