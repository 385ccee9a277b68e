// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Tokens that keep a share of each transfer. If they are silent, their events name the whole amount.
contract TaxedToken {
    string public constant symbol = "TAX";
    uint8 public constant decimals = 6;
    bool immutable isSilent;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(bool silent) {
        isSilent = silent;
        balanceOf[msg.sender] = 1_000_000_000;
    }

    function move(address from, address to, uint256 value) private {
        uint256 tax = value / 20;
        balanceOf[from] -= value;
        balanceOf[to] += value - tax;
        balanceOf[address(this)] += tax;
        emit Transfer(from, to, isSilent ? value : value - tax);
        if (!isSilent) emit Transfer(from, address(this), tax);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        emit Approval(from, msg.sender, allowance[from][msg.sender]);
        move(from, to, value);
        return true;
    }
}

/// Wrapped coins, whose events of wrapping are no transfers.
contract Wrapped {
    uint8 public constant decimals = 18;
    mapping(address => uint256) public balanceOf;

    event Deposit(address indexed dst, uint256 wad);
    event Withdrawal(address indexed src, uint256 wad);

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 wad) external {
        balanceOf[msg.sender] -= wad;
        emit Withdrawal(msg.sender, wad);
        payable(msg.sender).transfer(wad);
    }
}

/// What a page may have its visitors call.
contract Page {
    address immutable owner = msg.sender;

    /// Takes tokens of the caller by an old allowance, for somebody else.
    function claim(TaxedToken token, address to, uint256 value) external payable {
        token.transferFrom(msg.sender, to, value);
    }

    /// Gives back half of the coins. A call inside of it that fails moves nothing.
    function halve() external payable {
        payable(msg.sender).transfer(msg.value / 2);
        try this.moveAndFail{value: msg.value / 4}(owner) {} catch {}
    }

    function moveAndFail(address to) external payable {
        payable(to).transfer(msg.value);
        revert("never");
    }

    function refuse() external payable {
        revert("the sale is over");
    }
}
