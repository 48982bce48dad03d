/** `--message-format json`: the diagnostic as people see it is in the message's `rendered`. */
interface Message {
  reason?: string;
  message?: { rendered?: string };
  $message_type?: string;
  rendered?: string;
}

const RENDERED = /"rendered":("(?:[^"\\]|\\.)*)/;

export function renderedOf(text: string): string | undefined {
  if (!text.includes('"compiler-message"') && !text.includes('"$message_type":"diagnostic"')) return undefined;
  try {
    const message = JSON.parse(text) as Message;
    return plain(message.reason === 'compiler-message' ? message.message?.rendered : message.rendered);
  } catch {
    return cut(text);
  }
}

/** A line over the engine's bound ends anywhere; the rendered text comes early in it. */
function cut(text: string): string | undefined {
  const quoted = RENDERED.exec(text)?.[1];
  if (quoted === undefined) return undefined;
  try {
    return plain(JSON.parse(`${quoted}"`) as string);
  } catch {
    return undefined;
  }
}

const plain = (text: string | undefined): string | undefined => text?.replace(/\x1b\[[\d;]*m/g, '');
