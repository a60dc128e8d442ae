import { correction, generate } from 'lean-qr';
import { toSvgSource } from 'lean-qr/extras/svg';
import { Secret, TOTP } from 'otpauth';

/** The parameters that every authenticator app supports (RFC 6238): SHA-1, 6 digits, 30 seconds. */
const period = 30;
const secretBytes = 20;
/** Maximum difference between the clocks of the app and the server, in time steps. */
const clockSkewSteps = 1;

/** The secret of a new authenticator app, as text, as an otpauth: URI and as a QR code. */
export interface TotpSetup {
  secret: string;
  uri: string;
  /**
   * The QR code as an SVG image. It contains no characters that need escaping in a data URL, because the official
   * client builds a data URL from it.
   */
  qrCode: string;
}

/** Creates the secret of an authenticator app for an account. */
export const createTotpSetup = ({ issuer, email }: { issuer: string; email: string }): TotpSetup => {
  const secret = new Secret({ size: secretBytes });
  const uri = new TOTP({ issuer, label: email, secret, period }).toString();
  const qrCode = toSvgSource(generate(uri, { minCorrectionLevel: correction.M }), {
    on: 'black',
    off: 'white',
  });
  return { secret: secret.base32, uri, qrCode };
};

/** Returns the time step of a code, or undefined when it is not a code of the secret for the current time. */
export const findTotpTimeStep = (secret: string, code: string, now: Date): number | undefined => {
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    token: code,
    secret: Secret.fromBase32(secret),
    period,
    timestamp,
    window: clockSkewSteps,
  });
  return delta === null ? undefined : TOTP.counter({ period, timestamp }) + delta;
};
