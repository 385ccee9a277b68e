/**
 * Tokens of TON to TEP-74 for the emulator, in FunC, with the compiler that comes with it. The master mints for everybody; wallets give
 * back what is left of a transfer's coins, or keep it.
 */
import { createRequire } from "node:module"
import {
  type Address,
  beginCell,
  Cell,
  contractAddress,
  Dictionary,
  external,
  type StateInit,
  storeMessage
} from "@ton/core"
import { sha256_sync } from "@ton/crypto"

const shared = `
forall X -> X null() asm "PUSHNULL";
() set_data(cell c) impure asm "c4 POP";
cell get_data() asm "c4 PUSH";
slice begin_parse(cell c) asm "CTOS";
builder begin_cell() asm "NEWC";
cell end_cell(builder b) asm "ENDC";
(slice, cell) load_ref(slice s) asm(-> 1 0) "LDREF";
(slice, int) load_coins(slice s) asm(-> 1 0) "LDGRAMS";
(slice, slice) load_msg_addr(slice s) asm(-> 1 0) "LDMSGADDR";
(slice, cell) load_maybe_ref(slice s) asm(-> 1 0) "LDOPTREF";
builder store_ref(builder b, cell c) asm(c b) "STREF";
builder store_slice(builder b, slice s) asm "STSLICER";
builder store_coins(builder b, int x) asm "STGRAMS";
int cell_hash(cell c) asm "HASHCU";
int slice_empty?(slice s) asm "SEMPTY";
int slice_bits(slice s) asm "SBITS";
int equal_slices(slice a, slice b) asm "SDEQ";
slice my_address() asm "MYADDR";
() send_raw_message(cell msg, int mode) impure asm "SENDRAWMSG";
() accept_message() impure asm "ACCEPT";

cell state_of(slice owner, slice master, cell code, int keeps) inline {
  cell data = begin_cell().store_coins(0).store_slice(owner).store_slice(master).store_uint(keeps, 1).store_ref(code).end_cell();
  return begin_cell().store_uint(6, 5).store_ref(code).store_ref(data).end_cell();
}

slice address_of(cell state) inline {
  return begin_cell().store_uint(4, 3).store_int(0, 8).store_uint(cell_hash(state), 256).end_cell().begin_parse();
}

() send(slice to, int value, cell state, builder body, int mode) impure inline {
  var head = begin_cell().store_uint(0x18, 6).store_slice(to).store_coins(value);
  head = null?(state) ? head.store_uint(1, 107) : head.store_uint(7, 108).store_ref(state);
  send_raw_message(head.store_ref(body.end_cell()).end_cell(), mode);
}
`

const wallet = `
(int, slice, slice, int, cell) loaded() inline {
  slice s = get_data().begin_parse();
  return (s~load_coins(), s~load_msg_addr(), s~load_msg_addr(), s~load_uint(1), s~load_ref());
}

() saved(int balance, slice owner, slice master, int keeps, cell code) impure inline {
  set_data(begin_cell().store_coins(balance).store_slice(owner).store_slice(master).store_uint(keeps, 1).store_ref(code).end_cell());
}

() recv_internal(int my_balance, int msg_value, cell full, slice body) impure {
  if (slice_empty?(body)) { return (); }
  slice head = full.begin_parse();
  int flags = head~load_uint(4);
  slice sender = head~load_msg_addr();
  var (balance, owner, master, keeps, code) = loaded();
  if (flags & 1) {
    body~load_uint(32 + 32 + 64);
    saved(balance + body~load_coins(), owner, master, keeps, code);
    return ();
  }
  int op = body~load_uint(32);
  int query = body~load_uint(64);
  int amount = body~load_coins();
  if (op == 0xf8a7ea5) {
    slice to = body~load_msg_addr();
    slice response = body~load_msg_addr();
    body~load_maybe_ref();
    int forward = body~load_coins();
    throw_unless(705, equal_slices(sender, owner));
    throw_unless(706, balance >= amount);
    throw_unless(709, msg_value > forward + 40000000);
    saved(balance - amount, owner, master, keeps, code);
    cell state = state_of(to, master, code, keeps);
    send(address_of(state), 0, state, begin_cell().store_uint(0x178d4519, 32).store_uint(query, 64).store_coins(amount)
      .store_slice(owner).store_slice(response).store_coins(forward).store_slice(body), 64);
    return ();
  }
  throw_unless(0xffff, op == 0x178d4519);
  slice from = body~load_msg_addr();
  slice response = body~load_msg_addr();
  int forward = body~load_coins();
  throw_unless(707, equal_slices(sender, master) | equal_slices(sender, address_of(state_of(from, master, code, keeps))));
  saved(balance + amount, owner, master, keeps, code);
  if (forward) {
    send(owner, forward, null(), begin_cell().store_uint(0x7362d09c, 32).store_uint(query, 64).store_coins(amount)
      .store_slice(from).store_slice(body), 1);
  }
  int rest = msg_value - forward - 25000000;
  if ((rest > 0) & (keeps == 0) & (slice_bits(response) > 2)) {
    send(response, rest, null(), begin_cell().store_uint(0xd53276db, 32).store_uint(query, 64), 2);
  }
}

(int, slice, slice, cell) get_wallet_data() method_id {
  var (balance, owner, master, _, code) = loaded();
  return (balance, owner, master, code);
}
`

const master = `
(int, cell, cell) loaded() inline {
  slice s = get_data().begin_parse();
  return (s~load_uint(1), s~load_ref(), s~load_ref());
}

() recv_internal(int my_balance, int msg_value, cell full, slice body) impure { return (); }

() recv_external(slice body) impure {
  accept_message();
  var (keeps, code, _) = loaded();
  slice owner = body~load_msg_addr();
  int amount = body~load_coins();
  cell state = state_of(owner, my_address(), code, keeps);
  send(address_of(state), 100000000, state, begin_cell().store_uint(0x178d4519, 32).store_uint(0, 64).store_coins(amount)
    .store_uint(0, 2).store_uint(0, 2).store_coins(0).store_uint(0, 1), 1);
}

(int, int, slice, cell, cell) get_jetton_data() method_id {
  var (_, code, content) = loaded();
  return (0, -1, my_address(), content, code);
}

slice get_wallet_address(slice owner) method_id {
  var (keeps, code, _) = loaded();
  return address_of(state_of(owner, my_address(), code, keeps));
}
`

/** A master of tokens that are claimed by a proof (TEP-177): it has the root of their tree. */
const mintless = `${master}
int get_mintless_airdrop_hashmap_root() method_id { return 4660; }
`

interface Compiler {
  readonly compileFunc: (given: {
    readonly targets: ReadonlyArray<string>
    readonly sources: Readonly<Record<string, string>>
  }) => Promise<{ readonly status: string; readonly codeBoc?: string; readonly message?: string }>
}

/** The code of a contract. */
const compileSource = async ({ compileFunc }: Compiler, source: string): Promise<Cell> => {
  const { codeBoc, message } = await compileFunc({
    targets: ["it.fc"],
    sources: { "it.fc": shared + source }
  })
  if (codeBoc === undefined) throw new Error(message)
  return Cell.fromBase64(codeBoc)
}

/** What a master tells in the chain (TEP-64). */
const encodeContent = (entries: Readonly<Record<string, string>>): Cell => {
  const told = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  for (const [name, value] of Object.entries(entries))
    told.set(sha256_sync(name), beginCell().storeUint(0, 8).storeStringTail(value).endCell())
  return beginCell().storeUint(0, 8).storeDict(told).endCell()
}

export interface Jetton {
  readonly address: Address
  /** The contract that has the tokens of an owner. */
  readonly walletOf: (owner: Address) => Address
  /** A message to the master, in base64, which mints tokens for an owner. The first one makes it. */
  readonly minting: (owner: Address, amount: bigint) => string
}

/** Tokens with six decimals, by the place of the emulator's program. */
export const deployJettons = async (
  emulator: string,
  kinds: ReadonlyArray<{ readonly keeps: boolean; readonly isMintless?: boolean }>
) => {
  const compiler: Compiler = createRequire(emulator)("@ton-community/func-js")
  const [ofWallet, usual, other] = await Promise.all(
    [wallet, master, mintless].map((source) => compileSource(compiler, source))
  )
  if (ofWallet === undefined || usual === undefined || other === undefined) throw new Error("no code")
  return kinds.map(({ isMintless, keeps }): Jetton => {
    const code = isMintless === true ? other : usual
    const told = encodeContent({ decimals: "6", symbol: keeps ? "KEEPS" : "GIVES" })
    const init: StateInit = {
      code,
      data: beginCell().storeBit(keeps).storeRef(ofWallet).storeRef(told).endCell()
    }
    const address = contractAddress(0, init)
    const minting = (owner: Address, amount: bigint): string => {
      const body = beginCell().storeAddress(owner).storeCoins(amount).endCell()
      const message = external({ to: address, init, body })
      return beginCell().store(storeMessage(message)).endCell().toBoc().toString("base64")
    }
    const walletOf = (owner: Address): Address => {
      const data = beginCell().storeCoins(0).storeAddress(owner).storeAddress(address).storeBit(keeps)
      return contractAddress(0, { code: ofWallet, data: data.storeRef(ofWallet).endCell() })
    }
    return { address, minting, walletOf }
  })
}
