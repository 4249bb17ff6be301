import { expect, test } from 'bun:test';
import { Secret } from '../../config/secret.ts';
import { signedCall } from './signed-call.ts';

const KEY = {
  access_key_id: 'AKIDEXAMPLE',
  secret_access_key: new Secret('wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'),
};
const AT = Date.UTC(2026, 10, 23, 18);

// The expected signatures were made by botocore (S3SigV4Auth) for the same calls.
test('signs a part of an upload to AWS, with the region of its host', async () => {
  const settings = {
    ...KEY,
    bucket: 'our-bucket',
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
  };
  const call = {
    method: 'PUT',
    key: 'dir a/modelgate+1.db.enc',
    query: [
      ['partNumber', '2'],
      ['uploadId', 'a/b='],
    ],
  } as const;
  const { url, headers } = await signedCall(settings, call, AT);
  expect(url).toBe(
    'https://s3.eu-central-1.amazonaws.com/our-bucket/dir%20a/modelgate%2B1.db.enc?partNumber=2&uploadId=a%2Fb%3D',
  );
  expect(headers).toEqual({
    'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
    'x-amz-date': '20261123T180000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261123/eu-central-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=c5c00acd2814ce33858439a9966573b2666011eb1f22964235152968c16022af',
  });
});

test('signs the begin of an upload to a server with a port', async () => {
  const settings = { ...KEY, bucket: 'b', endpoint: 'http://127.0.0.1:9000' };
  const call = { method: 'POST', key: 'k.db', query: [['uploads', '']] } as const;
  const { headers } = await signedCall(settings, call, AT);
  expect(headers['authorization']).toEndWith(
    '/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=a76cc19ee88cfaac781f5361df40ae847163f004bf0507ae1ba4e7d99d2a2db1',
  );
});
