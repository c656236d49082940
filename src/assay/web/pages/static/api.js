// Requests to the service. The token is only in this module's memory and in one header of the requests.

const PREFIX = "/api/v1";
const TIMEOUT = 30_000;
let token = null;
let askForSignIn = null;

export class Problem extends Error {
  constructor(status, title, detail) {
    super(detail || title);
    this.status = status;
    this.title = title;
  }
}

// Sets the function that is called when a token is needed; it returns a promise that resolves after the sign-in.
export function whenSignInIsNeeded(action) {
  askForSignIn = action;
}

async function send(method, path, body) {
  const headers = { Accept: "application/json" };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(PREFIX + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT),
    });
  } catch {
    throw new Problem(0, "No answer", "The service does not respond. Check your network connection and try again.");
  }
  if (response.status === 204) return null;
  const reply = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(response.status, reply.title || "Failed", reply.detail || "");
  return reply;
}

export async function signIn(user, secret) {
  token = null;
  token = (await send("POST", "/tokens", { user_id: user, secret })).token;
}

export async function signOut() {
  try {
    if (token !== null) await send("DELETE", "/tokens/current");
  } catch {
    // The token is dropped below in any case.
  }
  token = null;
}

// Sends a request. If the token has expired, the request is repeated after signing in.
export async function request(method, path, body) {
  try {
    return await send(method, path, body);
  } catch (problem) {
    if (problem.status !== 401) throw problem;
    token = null;
    await askForSignIn();
    return send(method, path, body);
  }
}
