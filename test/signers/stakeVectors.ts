/**
 * Instructions of @solana/web3.js 1.99.0, which this repository does not depend on, for the account that "abandon … about" makes:
 *
 * - `delegate`: `StakeProgram.createAccountWithSeed` with the seed "stake:0" and 3 SOL beside the rent, and `StakeProgram.delegate`.
 * - `part`: `SystemProgram.createAccountWithSeed` with the seed "stake:1" and the rent, `StakeProgram.split` of 1 SOL and
 *   `StakeProgram.deactivate`.
 * - `whole`: `StakeProgram.deactivate`.
 * - `withdraw`: `StakeProgram.withdraw` of 2.00228288 SOL.
 */
export const stakeVectors = {
  accounts: ["6D4CkN7VcKYyJv6v19PsLnpPsYhM1sgnhLmwU33Acns", "3deQyERex2igGgrw63tUKT7cbMfDb39H5Sbd8V8NEHKc"],
  delegate: [
    {
      program: "11111111111111111111111111111111",
      accounts: [
        "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk signs is written",
        "6D4CkN7VcKYyJv6v19PsLnpPsYhM1sgnhLmwU33Acns is written"
      ],
      data: "03000000f036276246a75b9de3349ed42b15e232f6518fc20f5fcd4f1d64e81f9bd258f707000000000000007374616b653a308033f3b200000000c80000000000000006a1d8179137542a983437bdfe2a7ab2557f535c8a78722b68a49dc000000000"
    },
    {
      program: "Stake11111111111111111111111111111111111111",
      accounts: [
        "6D4CkN7VcKYyJv6v19PsLnpPsYhM1sgnhLmwU33Acns is written",
        "SysvarRent111111111111111111111111111111111"
      ],
      data: "00000000f036276246a75b9de3349ed42b15e232f6518fc20f5fcd4f1d64e81f9bd258f7f036276246a75b9de3349ed42b15e232f6518fc20f5fcd4f1d64e81f9bd258f7000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    },
    {
      program: "Stake11111111111111111111111111111111111111",
      accounts: [
        "6D4CkN7VcKYyJv6v19PsLnpPsYhM1sgnhLmwU33Acns is written",
        "CcaHc2L43ZWjwCHART3oZoJvHLAe9hzT2DJNUpBzoTN1",
        "SysvarC1ock11111111111111111111111111111111",
        "SysvarStakeHistory1111111111111111111111111",
        "StakeConfig11111111111111111111111111111111",
        "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk signs"
      ],
      data: "02000000"
    }
  ],
  part: [
    {
      program: "11111111111111111111111111111111",
      accounts: [
        "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk signs is written",
        "3deQyERex2igGgrw63tUKT7cbMfDb39H5Sbd8V8NEHKc is written"
      ],
      data: "03000000f036276246a75b9de3349ed42b15e232f6518fc20f5fcd4f1d64e81f9bd258f707000000000000007374616b653a3180d5220000000000c80000000000000006a1d8179137542a983437bdfe2a7ab2557f535c8a78722b68a49dc000000000"
    },
    {
      program: "Stake11111111111111111111111111111111111111",
      accounts: [
        "6D4CkN7VcKYyJv6v19PsLnpPsYhM1sgnhLmwU33Acns is written",
        "3deQyERex2igGgrw63tUKT7cbMfDb39H5Sbd8V8NEHKc is written",
        "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk signs"
      ],
      data: "0300000000ca9a3b00000000"
    },
    {
      program: "Stake11111111111111111111111111111111111111",
      accounts: [
        "3deQyERex2igGgrw63tUKT7cbMfDb39H5Sbd8V8NEHKc is written",
        "SysvarC1ock11111111111111111111111111111111",
        "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk signs"
      ],
      data: "05000000"
    }
  ],
  whole: [
    {
      program: "Stake11111111111111111111111111111111111111",
      accounts: [
        "6D4CkN7VcKYyJv6v19PsLnpPsYhM1sgnhLmwU33Acns is written",
        "SysvarC1ock11111111111111111111111111111111",
        "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk signs"
      ],
      data: "05000000"
    }
  ],
  withdraw: [
    {
      program: "Stake11111111111111111111111111111111111111",
      accounts: [
        "6D4CkN7VcKYyJv6v19PsLnpPsYhM1sgnhLmwU33Acns is written",
        "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk is written",
        "SysvarC1ock11111111111111111111111111111111",
        "SysvarStakeHistory1111111111111111111111111",
        "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk signs"
      ],
      data: "040000008069587700000000"
    }
  ]
} as const
